import { AppError } from '../../../shared/app-error.ts';

/** As the schemas of what asks for one have it. */
const longestIdentifier = 1024;

/** An identifier out of a field that the connection names. Throws `service/not-understood` with the field where it holds none. */
export function identifier(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '' && value.length <= longestIdentifier && value.isWellFormed())
    return value;
  if (typeof value === 'number') return String(value);
  throw new AppError('service/not-understood', `no identifier in ${field}`, { facts: { field } });
}
