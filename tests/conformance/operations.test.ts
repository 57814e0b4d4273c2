/** Our table of operations, from which client, engine and console derive, against the interface's own tables. */
import { describe, expect, it } from 'vitest';
import { operationIds, operationOf, type RequestField } from '../../src/shared/operations.ts';
import { endpoints, type FieldType } from './interface-table.ts';

/** The values that a field can have; undefined if any. A choice may also leave the field out. */
const valuesOf = (field: RequestField): readonly string[] | undefined => {
  if (field.kind === 'fixed') return [field.value];
  return field.kind === 'choice' ? field.options.filter((option) => option !== '') : undefined;
};

/** Types of the interface that a kind of field can hold. */
const typesOf: Readonly<Record<RequestField['kind'], readonly FieldType[]>> = {
  fixed: ['string'],
  voice: ['string'],
  task: ['string'],
  model: ['string'],
  text: ['string', 'extension'],
  speech: ['string'],
  // The interface has the factors of speech as decimal strings.
  number: ['number', 'decimal'],
  integer: ['integer'],
  int64: ['integer'],
  choice: ['string'],
  switch: ['boolean'],
  file: ['file'],
};

it('has the operations of the interface, in its order', () => {
  expect(operationIds).toEqual(endpoints.map(({ id }) => id));
});

describe.each(endpoints)('$id', (endpoint) => {
  const operation = operationOf(endpoint.id);

  it('has the method, host, path and content of the interface', () => {
    const { method, host, path, content } = operation;
    expect({ method, host, path, content }).toEqual({
      method: endpoint.method,
      host: endpoint.host,
      path: endpoint.path,
      content: endpoint.content,
    });
  });

  it('asks for the token unless the interface leaves it open', () => {
    if (endpoint.authorization === 'open') expect(operation.authorization).not.toBe('always');
    else expect(operation.authorization).not.toBe('voiceDetailAuthorized');
  });

  it('has each request field of the interface, in its place, with its values', () => {
    const fields = Object.entries(operation.request).map(([name, field]) => ({
      name,
      place: field.place,
      values: valuesOf(field),
    }));
    expect(fields).toEqual(endpoint.request.map(({ name, place, values }) => ({ name, place, values })));
  });

  it('can hold the type of each field', () => {
    const wrong = endpoint.request.filter(({ name, type }) => {
      const field = operation.request[name];
      return !field || !typesOf[field.kind].includes(type);
    });
    expect(wrong).toEqual([]);
  });
});
