/** JSON that the module wrote. */

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- names what the module wrote
export function parse<T>(json: string): T {
  return JSON.parse(json) as T;
}
