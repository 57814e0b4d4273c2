import { join } from 'node:path';
import { commandFolder, installCommandFiles } from './command-files.js';

/** Packages that the bundles load as they are, and what these load. build/check-package.js fails when one is missing. */
const packages = {
  from: 'node_modules',
  to: 'node_modules',
  filter: [
    '{@audio,@wasm-audio-decoders,@thi.ng,@eshaz}/*/**/*.{js,mjs,cjs,json}',
    '{audio-type,codec-parser,mpg123-decoder,qoa-format,simple-yenc}/**/*.{js,mjs,cjs,json}',
    'mediabunny/package.json',
    'mediabunny/dist/modules/**/*.js',
    '@mediabunny/flac-encoder/package.json',
    '@mediabunny/flac-encoder/dist/bundles/mediabunny-flac-encoder.mjs',
    'pitchy/{package.json,index.js}',
    'fft.js/{package.json,lib/fft.js}',
    'signalsmith-stretch/{package.json,SignalsmithStretch.mjs}',
    'wasm-media-encoders/{package.json,dist/es/index.mjs}',
    '@swc/helpers/{package.json,esm/*.js}',
    'keytar/{package.json,lib/keytar.js,build/Release/keytar.node}',
  ],
};

/** @type {import('electron-builder').Configuration} */
export default {
  appId: 'org.timbre.Timbre',
  productName: 'Timbre',
  copyright: 'The Timbre authors, GPL-3.0-or-later',
  directories: { buildResources: 'build', output: 'dist' },
  // Main, page and workers are bundled; nothing travels that is not listed here.
  files: [
    'out/**',
    '!out/.built',
    'samples/harbour.wav',
    'build/icons/512x512.png',
    'build/icons/64x64.png',
    'build/tray/*.png',
    'package.json',
    'LICENSE',
    '!node_modules/**',
    packages,
  ],
  asar: { smartUnpack: false },
  // The system loads the keychain's module from a file. The data of the speech is read as a whole by each of its threads.
  asarUnpack: ['**/*.node', 'out/main/speech/*.br'],
  // keytar is N-API and works in every Electron; rebuilding it without compilers would remove it.
  npmRebuild: false,
  afterPack: 'build/after-pack.js',
  // Otherwise electron-builder takes a repository on GitHub, or a token in the environment, for where updates are.
  publish: null,
  protocols: [{ name: 'Timbre', schemes: ['timbre'] }],
  // The default of AppImages needs libfuse2, which distributions no longer install: https://github.com/electron/electron/issues/44131
  toolsets: { appimage: '1.0.3' },
  artifactName: 'timbre-${version}-${os}-${arch}.${ext}',
  linux: {
    icon: 'build/icons',
    category: 'AudioVideo;Audio',
    synopsis: 'Change the voice of recordings',
    target: ['AppImage', 'deb', 'rpm'],
    // `timbre` is the program of a terminal: build/command-files.js.
    executableName: 'timbre-app',
    // The name of the desktop entry is the id by which a Wayland panel finds the icon of a window.
    syncDesktopName: true,
    // As the other systems have them; ogg includes opus, and the desktops know no type of caf.
    mimeTypes: ['wav', 'mpeg', 'flac', 'ogg', 'mp4', 'aac', 'webm', 'x-aiff'].map((subtype) => `audio/${subtype}`),
  },
  // What electron-builder lists, and what else Electron's binary is linked to: a bare desktop has neither.
  deb: {
    packageCategory: 'sound',
    // electron-builder's own is gone from Debian; the tray needs no library.
    recommends: [],
    fpm: installCommandFiles('/usr/share/zsh/vendor-completions'),
    depends: [
      'libgtk-3-0',
      'libnotify4',
      'libnss3',
      'libxss1',
      'libxtst6',
      'xdg-utils',
      'libatspi2.0-0',
      'libuuid1',
      'libsecret-1-0',
      'libasound2 | libasound2t64',
      'libgbm1',
    ],
  },
  rpm: {
    packageCategory: 'Applications/Multimedia',
    fpm: [
      // Otherwise they are left behind.
      '--directories=/opt/Timbre',
      '--directories=/usr/share/doc/timbre',
      // Links that every program with the same Electron has, of which rpm installs only one.
      '--rpm-rpmbuild-define=_build_id_links none',
      ...installCommandFiles('/usr/share/zsh/site-functions'),
    ],
    afterRemove: 'build/rpm-after-remove.sh',
    // By what rpm itself finds in each library: Fedora and openSUSE name the packages differently.
    depends: [
      ...[
        'libgtk-3.so.0',
        'libnotify.so.4',
        'libnss3.so',
        'libXss.so.1',
        'libXtst.so.6',
        'libatspi.so.0',
        'libuuid.so.1',
        'libsecret-1.so.0',
        'libasound.so.2',
        'libgbm.so.1',
      ].map((library) => `${library}()(64bit)`),
      'xdg-utils',
    ],
  },
  mac: {
    icon: 'build/icon.icns',
    category: 'public.app-category.music',
    // Without a certificate in the environment: arm64 runs nothing unsigned.
    ...(!process.env['CSC_LINK'] && !process.env['CSC_NAME'] && { identity: '-' }),
    hardenedRuntime: true,
    entitlements: 'build/entitlements.mac.plist',
    entitlementsInherit: 'build/entitlements.mac.plist',
    extendInfo: {
      NSAppleEventsUsageDescription: 'Timbre shuts the computer down when its work is done, if you choose so.',
    },
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
  win: {
    icon: 'build/icon.ico',
    target: ['nsis', 'portable'],
    extraFiles: [
      { from: join(commandFolder, 'timbre.cmd'), to: 'bin/timbre.cmd' },
      { from: 'build/windows-path.ps1', to: 'bin/windows-path.ps1' },
    ],
  },
  nsis: {
    artifactName: 'timbre-${version}-${os}-${arch}-setup.${ext}',
    oneClick: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
    include: 'build/installer.nsh',
  },
  portable: {
    artifactName: 'timbre-${version}-${os}-${arch}-portable.${ext}',
    // A folder for each start: a fixed one would be emptied under a Timbre that runs.
    unpackDirName: false,
  },
};
