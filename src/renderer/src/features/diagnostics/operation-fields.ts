import type { Messages } from '../../../../shared/messages/index.ts';
import { type ApiCall, type OperationId, operationOf, type RequestField } from '../../../../shared/operations.ts';

/** A field that the user fills in. */
export type FormField = RequestField & {
  readonly name: string;
  /** The interface's own name, without the fields around it. */
  readonly label: string;
};

export type Values = Readonly<Record<string, string | boolean>>;

export const formFields = (operation: OperationId): readonly FormField[] =>
  Object.entries(operationOf(operation).request)
    .filter(([, { kind }]) => kind !== 'fixed')
    .map(([name, field]) => ({ ...field, name, label: name.slice(name.lastIndexOf('.') + 1) }));

/** The fields that are always sent the same, as text. */
export const fixedFields = (operation: OperationId): string =>
  Object.entries(operationOf(operation).request)
    .flatMap(([name, field]) => (field.kind === 'fixed' ? [`${name} ${field.value}`] : []))
    .join(', ');

function startValue(field: RequestField): string | boolean {
  if (field.kind === 'switch') return false;
  return 'start' in field ? (field.start ?? '') : '';
}

export const startValues = (operation: OperationId): Record<string, string | boolean> =>
  Object.fromEntries(formFields(operation).map((field) => [field.name, startValue(field)]));

function valueOf(field: FormField, values: Values): string | boolean | number {
  const entered = values[field.name] ?? '';
  if (typeof entered === 'boolean') return entered;
  switch (field.kind) {
    case 'number':
    case 'integer': {
      // A decimal comma is accepted in every language. Main rejects NaN with the field's name.
      const digits = entered.trim().replace(',', '.');
      return digits === '' ? Number.NaN : Number(digits);
    }
    case 'int64':
      return entered.trim();
    default:
      return entered;
  }
}

/** Main validates it: the page does not load the schema. */
export const callOf = (operation: OperationId, values: Values): ApiCall =>
  Object.fromEntries([
    ['operation', operation],
    ...formFields(operation).map((field) => [field.name, valueOf(field, values)] as const),
  ]) as unknown as ApiCall;

/** Why main rejected a field's value. */
export function rejectionText(field: FormField, { rejected }: Messages['diagnostics']): string {
  switch (field.kind) {
    case 'integer':
      return field.max === undefined
        ? rejected.integerFrom({ min: field.min })
        : rejected.integer({ min: field.min, max: field.max });
    case 'text':
      return field.isRequired ? rejected.required : rejected.text;
    case 'fixed':
    case 'choice':
    case 'switch':
      return rejected.text;
    default:
      return rejected[field.kind];
  }
}
