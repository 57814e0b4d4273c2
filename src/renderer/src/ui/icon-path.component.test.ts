import { icons, type IconNode } from 'lucide';
import { expect, it } from 'vitest';
import { iconPath } from './icon-path.ts';

const namespace = 'http://www.w3.org/2000/svg';

function svgElement([tag, attributes]: IconNode[number]): SVGGeometryElement {
  const element = document.createElementNS(namespace, tag) as SVGGeometryElement;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** Whether both extend as far, and have the same length; Chromium measures circles and round corners coarsely, but not those of paths. */
function isSame(shape: SVGGeometryElement, path: SVGGeometryElement): boolean {
  const [a, b] = [shape.getBBox(), path.getBBox()];
  const sides = ['x', 'y', 'width', 'height'] as const;
  return (
    sides.every((side) => Math.abs(a[side] - b[side]) < 0.01) &&
    Math.abs(shape.getTotalLength() - path.getTotalLength()) <= 0.12 * path.getTotalLength()
  );
}

it('the path of an icon draws each of its shapes where it is', () => {
  const svg = document.body.appendChild(document.createElementNS(namespace, 'svg'));
  const different = Object.entries(icons).filter(([, icon]) => {
    const group = document.createElementNS(namespace, 'g');
    const shapes = icon.map(svgElement);
    const paths = icon.map((shape) => svgElement(['path', { d: iconPath([shape]) }]));
    const whole = svgElement(['path', { d: iconPath(icon) }]);
    group.append(...shapes);
    svg.replaceChildren(group, whole, ...paths);
    const [a, b] = [group.getBBox(), whole.getBBox()];
    return (
      shapes.some((shape, k) => !paths[k] || !isSame(shape, paths[k])) ||
      Math.abs(a.x + a.width - b.x - b.width) > 0.01 ||
      Math.abs(a.y + a.height - b.y - b.height) > 0.01
    );
  });
  svg.remove();
  expect(different.map(([name]) => name)).toEqual([]);
  expect(Object.keys(icons).length).toBeGreaterThan(1000);
});
