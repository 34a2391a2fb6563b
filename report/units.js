// Numbers as people read them: the same words and digits as the command's text output.

function three_digits(value) {
  return value.toFixed(value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// Microseconds: "688 µs", "4.93 ms", "1.50 s", "62.6 s".
export function duration(us) {
  if (us < 0) {
    return '-' + duration(-us);
  }
  if (us < 999.5) {
    return `${Number.isInteger(us) ? us : three_digits(us)} µs`;
  }
  return us < 999.5e3 ? `${three_digits(us / 1e3)} ms` : `${three_digits(us / 1e6)} s`;
}

// Of numbers in ascending order, of which there are some: the least one that this share of them does not
// exceed, as the command has it (0.5: the median).
export function percentile(sorted, share) {
  return sorted[Math.max(Math.ceil(share * sorted.length), 1) - 1];
}

export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  let size = value;
  while (size >= 1024 && unit + 1 < units.length) {
    size /= 1024;
    ++unit;
  }
  return unit === 0 || Number.isInteger(size) ? `${size} ${units[unit]}` : `${size.toFixed(1)} ${units[unit]}`;
}

// 1234567: "1,234,567".
export function whole(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function counted(value, one, many = one + 's') {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

export function percent(part, all) {
  return all > 0 ? `${Math.round((100 * part) / all)} %` : '0 %';
}

// Seconds since the first frame, with as many decimals as `step`, in microseconds, needs.
export function offset(us, step = 1) {
  const decimals = step >= 1e6 ? 0 : step >= 1e5 ? 1 : step >= 1e4 ? 2 : step >= 1e3 ? 3 : step >= 100 ? 4 : step >= 10 ? 5 : 6;
  return (us / 1e6).toFixed(decimals);
}

// "a, b and c".
export function listed(words) {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

// "1795298235.195569000": "2026-11-21 09:57:15 UTC".
export function date(time) {
  const moment = new Date(Number(String(time).split('.')[0]) * 1000);
  return Number.isNaN(moment.getTime()) ? '' : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

// A sentence of the records, with the unit spelled as everywhere in the page: "494 us": "494 µs".
export function sentence(text) {
  return printable(text).replace(/(\d) us\b/g, '$1 µs');
}

// The name of a file without the folders that it lies in.
export function file_name(path) {
  return String(path).split(/[/\\]/).filter(Boolean).pop() ?? String(path);
}

// What a table of ours has for a word of the records, whatever word that is.
export function known(table, word) {
  return Object.hasOwn(table, word) ? table[word] : undefined;
}

// Text of a capture on a line of ours: what nobody would see is escaped, as the command does it.
export function printable(text) {
  return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
