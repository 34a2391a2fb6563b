// Reads lines of OTLP's JSON with the classes that OpenTelemetry generates from its published schema, and looks up the names
// of attributes that are not ours.
// usage: node validate.cjs FILE, in a folder with what package.json names; prints a list of what is wrong with it.
const fs = require('node:fs');
const conventions = new Set(Object.values(require('@opentelemetry/semantic-conventions/incubating')));
const root = require('@opentelemetry/otlp-transformer/build/src/generated/root.js');

const Request = root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
const kIds = new Map([['traceId', 32], ['spanId', 16], ['parentSpanId', 16]]);

// OTLP's JSON has identifiers in hex digits, where that of Protocol Buffers has base64.
function withBytes(value, key, problems) {
  if (kIds.has(key)) {
    if (typeof value !== 'string' || !new RegExp(`^[0-9a-f]{${kIds.get(key)}}$`).test(value) || /^0+$/.test(value)) {
      problems.push(`${key} ${value}`);
    }
    return Buffer.from(value, 'hex').toString('base64');
  }
  if (Array.isArray(value)) {
    return value.map((one) => withBytes(one, '', problems));
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withBytes(one, name, problems)]));
  }
  if (key === 'key' && !value.startsWith('steertag.') && !conventions.has(value)) {
    problems.push(`${value} is in no convention`);
  }
  if (key === 'kind' || key === 'code') {
    return typeof value === 'number' ? value : problems.push(`${key} ${value}: enums are numbers`);
  }
  return value;
}

function sorted(value) {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return value !== null && typeof value === 'object'
    ? Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])) : value;
}

const problems = [];
for (const [number, line] of fs.readFileSync(process.argv[2], 'utf8').split('\n').slice(0, -1).entries()) {
  const found = [];
  const given = withBytes(JSON.parse(line), '', found);
  const message = Request.fromObject(given);
  const wrong = Request.verify(message);
  // What the schema does not know, or of another type, is not there any more.
  const again = Request.toObject(Request.decode(Request.encode(message).finish()),
                                 { longs: String, bytes: String, arrays: false, enums: Number });
  const drop = (one) => JSON.stringify(sorted(one)).replaceAll('"attributes":[],', '').replaceAll('"resourceSpans":[]', '');
  if (wrong) {
    found.push(wrong);
  }
  if (drop(given) !== drop(again)) {
    const a = drop(given), b = drop(again);
    let at = 0;
    while (a[at] === b[at]) {
      ++at;
    }
    found.push(`is read as something else: ${a.slice(Math.max(at - 60, 0), at + 60)} as ${b.slice(Math.max(at - 60, 0), at + 60)}`);
  }
  problems.push(...found.map((one) => `line ${number + 1}: ${one}`));
}
console.log(JSON.stringify(problems));
