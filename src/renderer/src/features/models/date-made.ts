/** The day on which a model was made; what the service wrote where that is no date. */
export function dateMade(creationDate: string, language: string): string {
  const at = new Date(creationDate);
  return Number.isNaN(at.getTime()) ? creationDate : at.toLocaleDateString(language, { dateStyle: 'medium' });
}
