// Numbers as people read them: the same digits as the command's text output (core/base/units.h, and of
// percentiles core/stats/durations.h).

// "9.87", "98.7", "987": so many thousandths, half up.
function three_digits(thousandths) {
  const half_up = (digits) => (Math.floor(thousandths / 10 ** (3 - digits) + 0.5) / 10 ** digits).toFixed(digits);
  return thousandths < 9995 ? half_up(2) : thousandths < 99950 ? half_up(1) : half_up(0);
}

// Microseconds: "688 µs", "4.93 ms", "1.50 s", "62.6 s"; below a millisecond cut, as whole ones of records are.
export function duration(us) {
  if (us < 0) {
    return '-' + duration(-us);
  }
  if (us < 1000) {
    return Number.isInteger(us) || us >= 100 ? `${Math.floor(us)} µs` : short_duration(Math.round(us * 1e3));
  }
  return us < 999.5e3 ? `${three_digits(Math.floor(us))} ms` : `${three_digits(Math.floor(us / 1e3))} s`;
}

function short_duration(ns) {
  return ns < 1e3 ? `${ns} ns` : `${three_digits(ns - (ns % (ns < 1e4 ? 10 : 100)))} µs`;
}

// Of lengths of time in ascending order, microseconds, of which there are some: the least one that this share of
// them does not exceed (0.5: the median). Of more than 2048 different ones the leading bits count.
export function percentile(sorted, share) {
  const ns = (us) => (us < 100 ? Math.round(us * 1e3) : Math.floor(us) * 1e3);
  const rank = Math.max(Math.ceil(share * sorted.length), 1) - 1;
  const longest = ns(sorted[sorted.length - 1]);
  for (let bits = Math.floor(Math.log2(Math.max(longest, 1))) + 1; rank + 1 < sorted.length && bits > 0; --bits) {
    const width = (value) => 2 ** Math.max(Math.floor(Math.log2(Math.max(value, 1))) + 1 - bits, 0);
    const least = (value) => value - (value % width(value));
    let buckets = 1;
    for (let i = 1; i < sorted.length && buckets <= 2048; ++i) {
      buckets += least(ns(sorted[i])) !== least(ns(sorted[i - 1])) ? 1 : 0;
    }
    if (buckets <= 2048) {
      const value = ns(sorted[rank]);
      return Math.max((least(value) + Math.floor(width(value) / 2)) / 1e3, sorted[0]);
    }
  }
  return sorted[rank];
}

export function bytes(value) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  let size = value;
  while (size >= 1023.95 && unit + 1 < units.length) {
    size /= 1024;
    ++unit;
  }
  return unit === 0 || Number.isInteger(size) ? `${size} ${units[unit]}` : `${(Math.floor(size * 10 + 0.5) / 10).toFixed(1)} ${units[unit]}`;
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
  return ((decimals === 6 ? Math.trunc(us) : us) / 1e6).toFixed(decimals);
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

// The same as programs read it: "2026-11-21T09:57:15.195569Z"; and the time of its day: "09:57:15.195569".
export function iso_date(time) {
  const [seconds, fraction = ''] = String(time).split('.');
  const moment = new Date(Number(seconds) * 1000);
  return Number.isNaN(moment.getTime()) ? '' : `${moment.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

export function clock(time) {
  return iso_date(time).slice(-16, -1);
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
