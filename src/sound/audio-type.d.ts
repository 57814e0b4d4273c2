declare module 'audio-type' {
  export default function audioType(bytes: Uint8Array): string | undefined;
}
