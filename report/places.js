// Lists of a hundred thousand entries: places in them, their order, their groups. Pure.

// Where a 32-bit number was seen: get() gives all places of it, in the order in which they were added. A Map of so
// many numbers takes ten times as long to fill.
export class Index {
  #heads; // by the number's hash: the last entry, plus 1
  #next; // by entry: the one before it with that hash, plus 1
  #numbers;
  #places;
  #count = 0;
  #shift;

  constructor(most) {
    const bits = Math.max(Math.ceil(Math.log2(most + 1)) + 1, 4);
    this.#shift = 32 - bits;
    this.#heads = new Uint32Array(2 ** bits);
    this.#next = new Uint32Array(most);
    this.#numbers = new Uint32Array(most);
    this.#places = new Uint32Array(most);
  }

  // Precondition: it is called `most` times at most.
  add(number, place) {
    if (number === undefined) {
      return;
    }
    const entry = this.#count++;
    const hash = this.#hash(number);
    this.#numbers[entry] = number;
    this.#places[entry] = place;
    this.#next[entry] = this.#heads[hash];
    this.#heads[hash] = entry + 1;
  }

  get(number) {
    const found = [];
    for (let entry = this.#heads[this.#hash(number)]; entry > 0; entry = this.#next[entry - 1]) {
      if (this.#numbers[entry - 1] === number >>> 0) {
        found.push(this.#places[entry - 1]);
      }
    }
    return found.reverse();
  }

  #hash(number) {
    return Math.imul(number, 0x9e3779b1) >>> this.#shift;
  }
}

// Those that have the same key, in a list by that key; keys in the order in which they come.
export function grouped(list, key) {
  const groups = new Map();
  for (const one of list) {
    const value = key(one);
    groups.has(value) ? groups.get(value).push(one) : groups.set(value, [one]);
  }
  return groups;
}

// The first of `count` places where `is` holds; it holds at all places behind that, too. `count`: it holds nowhere.
export function first_place(count, is) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    is(middle) ? (high = middle) : (low = middle + 1);
  }
  return low;
}

const PLACES = 2 ** 17;
const MOST_KEY = 2 ** 36;

// Indices of `keys` in order; of equal ones as they stand, `undefined` last.
export function order_of(keys, descending) {
  return packed_order(keys, descending) ?? Array.from(Uint32Array.from(keys, (_, i) => i).sort(by(keys, descending ? -1 : 1)));
}

function by(keys, sign) {
  return (i, j) => {
    const [a, b] = [keys[i], keys[j]];
    if (a === undefined || b === undefined) {
      return a === b ? i - j : a === undefined ? 1 : -1;
    }
    return a < b ? -sign : a > b ? sign : i - j;
  };
}

// Whole numbers that are not too large are sorted as one number with their places, without a function to compare
// them, which is ten times as fast; null where they are something else.
function packed_order(keys, descending) {
  if (keys.length > PLACES) {
    return null;
  }
  const packed = new Float64Array(keys.length);
  for (let i = 0; i < packed.length; ++i) {
    const value = keys[i];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0 && value < MOST_KEY - 1)) {
      return null;
    }
    packed[i] = (value === undefined ? MOST_KEY - 1 : descending ? MOST_KEY - 2 - value : value) * PLACES + i;
  }
  return Array.from(packed.sort(), (one) => one % PLACES);
}
