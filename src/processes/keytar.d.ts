/** The part of keytar that is used; the package itself is missing where it could not be built. */
declare module 'keytar' {
  interface Keytar {
    getPassword(service: string, account: string): Promise<string | null>;
    setPassword(service: string, account: string, password: string): Promise<void>;
    deletePassword(service: string, account: string): Promise<boolean>;
  }
  const keytar: Keytar;
  export default keytar;
}
