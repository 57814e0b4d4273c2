/** @type {import('electron-builder').Configuration} */
export default {
  appId: 'org.timbre.Timbre',
  productName: 'Timbre',
  copyright: 'The Timbre authors, GPL-3.0-or-later',
  directories: { buildResources: 'build', output: 'dist' },
  // Main, page and workers are bundled; of the packages only those travel that main loads as they are.
  files: [
    'out/**',
    '!out/.built',
    'samples/harbour.wav',
    'build/icons/512x512.png',
    'build/icons/64x64.png',
    'build/tray/*.png',
    'package.json',
    'LICENSE',
  ],
  asar: true,
  npmRebuild: true,
  afterPack: 'build/after-pack.js',
  protocols: [{ name: 'Timbre', schemes: ['timbre'] }],
  linux: {
    icon: 'build/icons',
    category: 'AudioVideo',
    synopsis: 'Change the voice of recordings',
    target: ['AppImage', 'deb'],
    executableName: 'timbre',
    mimeTypes: ['audio/wav', 'audio/mpeg', 'audio/flac', 'audio/ogg', 'audio/mp4'],
  },
  deb: { depends: ['libgtk-3-0', 'libnss3', 'libsecret-1-0', 'xdg-utils'] },
  mac: {
    icon: 'build/icon.icns',
    category: 'public.app-category.music',
    hardenedRuntime: true,
    entitlements: 'build/entitlements.mac.plist',
    entitlementsInherit: 'build/entitlements.mac.plist',
    target: ['dmg', 'zip'],
    // Timbre is offered under "Open With" and takes drops on its icon, but no other program loses its files.
    fileAssociations: [
      {
        name: 'Recording',
        ext: ['wav', 'mp3', 'flac', 'ogg', 'opus', 'm4a', 'aac', 'webm', 'aiff', 'caf'],
        role: 'Viewer',
        rank: 'Alternate',
      },
    ],
  },
  win: { icon: 'build/icon.ico', target: ['nsis'] },
  nsis: { oneClick: false, allowToChangeInstallationDirectory: true, deleteAppDataOnUninstall: false },
};
