const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Says how long ago something was, in its largest whole unit: "4 minutes ago". Undefined below a minute, which every language has a word for. */
export function createAgo(language: string): (seconds: number) => string | undefined {
  // Made when it is first used, as those of `formatFor` are.
  let relative: Intl.RelativeTimeFormat | undefined;
  return (seconds) => {
    const step = steps.find(([, length]) => seconds >= length);
    if (!step) return undefined;
    relative ??= new Intl.RelativeTimeFormat(language, { numeric: 'always' });
    return relative.format(-Math.floor(seconds / step[1]), step[0]);
  };
}
