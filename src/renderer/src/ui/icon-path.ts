import type { IconNode, SVGProps } from 'lucide';

const ellipse = (cx: number, cy: number, rx: number, ry: number): string =>
  `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0z`;

/** The path that draws each kind of shape of Lucide's icons; `n` reads an attribute as a number. */
const shapes: Readonly<Record<string, (n: (attribute: string) => number, attributes: SVGProps) => string>> = {
  // From the origin, because the first move of a path may be relative.
  path: (_, { d }) => `M0 0${d ?? ''}`,
  circle: (n) => ellipse(n('cx'), n('cy'), n('r'), n('r')),
  ellipse: (n) => ellipse(n('cx'), n('cy'), n('rx'), n('ry')),
  line: (n) => `M${n('x1')} ${n('y1')}L${n('x2')} ${n('y2')}`,
  rect: (n) => {
    const r = n('rx') || n('ry');
    const [width, height] = [n('width') - 2 * r, n('height') - 2 * r];
    const corner = (x: number, y: number) => `a${r} ${r} 0 0 1 ${x} ${y}`;
    const start = `M${n('x') + r} ${n('y')}`;
    return `${start}h${width}${corner(r, r)}v${height}${corner(-r, r)}h${-width}${corner(-r, -r)}v${-height}${corner(r, -r)}z`;
  },
  polyline: (_, { points }) => `M${points ?? ''}`,
  polygon: (_, { points }) => `M${points ?? ''}z`,
};

const paths = new Map<IconNode, string>();

/** All shapes of an icon as the data of one SVG path: a list has hundreds of icons, and each element takes its time. */
export function iconPath(icon: IconNode): string {
  let path = paths.get(icon);
  if (path === undefined) {
    path = icon
      .map(([tag, attributes]) => shapes[tag]?.((name) => Number(attributes[name] ?? 0), attributes) ?? '')
      .join('');
    paths.set(icon, path);
  }
  return path;
}
