// The part of JSON Schema 2020-12 that web/openapi.json uses. Tests check answers against their description with it.

/** The differences between the value and the schema, as lines; empty if there are none. */
export function departures(document, schema, value, path = '$') {
  if (schema.$ref) {
    const { $ref, ...rest } = schema;
    return [...departures(document, resolve(document, $ref), value, path), ...departures(document, rest, value, path)];
  }
  const found = [];
  const note = (message) => found.push(`${path}: ${message} (${JSON.stringify(value)?.slice(0, 80)})`);
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length && !types.some((type) => isOfType(type, value))) {
    note(`is not ${types.join(' or ')}`);
    return found;
  }
  if (schema.enum && !schema.enum.includes(value)) note(`is none of ${schema.enum.join(', ')}`);
  if (typeof value === 'number') {
    if (value < schema.minimum) note(`is below ${schema.minimum}`);
    if (value > schema.maximum) note(`is above ${schema.maximum}`);
  }
  if (typeof value === 'string') {
    if ([...value].length > schema.maxLength) note(`is longer than ${schema.maxLength}`);
    if ([...value].length < schema.minLength) note(`is shorter than ${schema.minLength}`);
    if (schema.pattern && !new RegExp(schema.pattern, 'u').test(value)) note(`does not match ${schema.pattern}`);
  }
  for (const part of schema.allOf ?? []) found.push(...departures(document, part, value, path));
  if (schema.anyOf?.every((part) => departures(document, part, value, path).length > 0)) note('is none of what it may be');
  if (Array.isArray(value)) found.push(...ofItems(document, schema, value, path));
  else if (value !== null && typeof value === 'object') found.push(...ofProperties(document, schema, value, path));
  return found;
}

export function resolve(document, reference) {
  const target = reference.slice(2).split('/').reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  if (target === undefined) throw new Error(`the description refers to ${reference}, which it does not have`);
  return target;
}

function isOfType(type, value) {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return value !== null && typeof value === 'object' && !Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function ofItems(document, schema, value, path) {
  const found = value.length > schema.maxItems ? [`${path}: has more than ${schema.maxItems} items`] : [];
  if (schema.items) value.forEach((item, index) => found.push(...departures(document, schema.items, item, `${path}[${index}]`)));
  return found;
}

function ofProperties(document, schema, value, path) {
  const found = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${path}: ${name} is missing`);
  const { properties = {}, propertyNames, additionalProperties: others } = schema;
  for (const [name, member] of Object.entries(value)) {
    const at = `${path}.${name}`;
    if (propertyNames) found.push(...departures(document, propertyNames, name, `the name of ${at}`));
    if (properties[name]) found.push(...departures(document, properties[name], member, at));
    else if (others === false) found.push(`${at}: is not described`);
    else if (others && typeof others === 'object') found.push(...departures(document, others, member, at));
  }
  for (const [name, needed] of Object.entries(schema.dependentRequired ?? {}))
    if (name in value) found.push(...needed.filter((each) => !(each in value)).map((each) => `${path}: ${each} is missing beside ${name}`));
  if (Object.keys(value).length < schema.minProperties) found.push(`${path}: is empty`);
  return found;
}
