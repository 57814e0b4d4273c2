import { expect, it } from 'vitest';
import { matchRoute, type Route } from './match-route.ts';

const named = () => Promise.resolve();
const fixed = () => Promise.resolve();
const routes: readonly Route[] = [
  { method: 'DELETE', path: '/v1/models/{name}', run: named },
  { method: 'GET', path: '/api/pagevoices', run: fixed },
];
const params = (target: string) => matchRoute(routes, 'DELETE', target)?.params;

it('decodes a segment after splitting the path', () => {
  expect(params('/v1/models/a%2Fb')).toEqual(['a/b']);
  expect(params('/v1/models/%2e%2e')).toEqual(['..']);
  expect(params('/v1/models/Gr%C3%BC%C3%9Fe%20%3F%23')).toEqual(['Grüße ?#']);
});

it('never normalises the path', () => {
  expect(params('/v1/models/x/../y')).toBeUndefined();
  expect(params('/v1//models/x')).toBeUndefined();
});

it('rejects an empty, a missing and an undecodable segment', () => {
  expect(params('/v1/models/')).toBeUndefined();
  expect(params('/v1/models')).toBeUndefined();
  expect(params('/v1/models/%ZZ')).toBeUndefined();
  expect(params('/v1/models/%C3')).toBeUndefined();
});

it('matches method and path together, and separates the query', () => {
  const found = matchRoute(routes, 'GET', '/api/pagevoices?language=en-GB&page=2');
  expect(found?.run).toBe(fixed);
  expect(found?.query.get('language')).toBe('en-GB');
  expect(matchRoute(routes, 'POST', '/api/pagevoices')).toBeNull();
  expect(matchRoute(routes, 'GET', '')).toBeNull();
});
