// CSV (RFC 4180): what a table shows, for other programs. Pure.

// columns: [{name, value(row)}]; a value that is undefined is empty.
export function csv_of(columns, rows) {
  const line = (values) => values.map(field).join(',');
  return [line(columns.map(({name}) => name)), ...rows.map((row) => line(columns.map(({value}) => value(row)))), ''].join('\r\n');
}

// A spreadsheet takes text that begins so for a formula: what comes from a capture must not be one.
function field(value) {
  const text = value === undefined || value === null ? '' : String(value);
  const safe = typeof value !== 'number' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}
