/** The signed list of releases. It lies beside the packages. */
export const listName = 'releases.jws';

/** @param {string} address */
function isFeed(address) {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(address);
  return protocol === 'https:' && pathname.endsWith(`/${listName}`) && !`${username}${password}${search}${hash}`;
}

/** @param {string} key */
function isPublicKey(key) {
  const bytes = Buffer.from(key, 'base64url');
  return bytes.length === 32 && bytes.toString('base64url') === key;
}

/**
 * What electron-builder's configuration needs in addition, so that packages find newer ones: the address of the list of
 * releases, and the key that it is signed with. Without both in the environment, packages never look for updates.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {import('electron-builder').Configuration}
 * @throws {Error} With a sentence, for half a feed or one that no app would accept.
 */
export function updatesFrom({ TIMBRE_UPDATE_FEED: feed, TIMBRE_UPDATE_KEY: key }) {
  if (!feed && !key) return {};
  if (!feed || !key) {
    const [set, missing] = feed ? ['FEED', 'KEY'] : ['KEY', 'FEED'];
    throw new Error(`TIMBRE_UPDATE_${set} is set, but TIMBRE_UPDATE_${missing} is not: set both or neither.`);
  }
  if (!isFeed(feed)) {
    throw new Error(`TIMBRE_UPDATE_FEED must be an https address that ends with /${listName}, but it is ${feed}`);
  }
  if (!isPublicKey(key)) {
    throw new Error(`TIMBRE_UPDATE_KEY must be an Ed25519 key, 32 bytes in base64url, but it is ${key}`);
  }
  return {
    extraMetadata: { updates: { feed, key } },
    // Writes `app-update.yml`, where electron-updater finds the name of its cache; publishes nothing.
    publish: { provider: 'generic', url: new URL('.', feed).href },
  };
}
