/** The part of keytar that is used. Written here because the package is there only where it could be built. */
declare module 'keytar' {
  interface Keytar {
    getPassword(service: string, account: string): Promise<string | null>;
    setPassword(service: string, account: string, password: string): Promise<void>;
    deletePassword(service: string, account: string): Promise<boolean>;
  }
  const keytar: Keytar;
  export default keytar;
}
