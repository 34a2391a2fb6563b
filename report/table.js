// Table: a table of many rows, of which the document holds one page. Sorted by any column whose
// heading is a button. A table for people who see it and for those who hear it.
import {datum, el, replace} from './dom.js';
import {order_of} from './places.js';
import {counted, whole} from './units.js';

// A column of numbers: `value` of a row, shown by `text`.
export function number_column(name, value, text, title) {
  return {name, title, number: true, value, cell: (row) => datum(value(row), text(value(row) ?? 0))};
}

// columns: [{name, title, value(row), cell(row), number}]; `value` is what rows are sorted by: a number
// or text, undefined last. Without it the column is not sorted by.
export class Table {
  constructor({caption, columns, rows, page = 25, sort = null, descending = true, noun = 'row'}) {
    this.columns = columns;
    this.noun = noun;
    this.page_size = page;
    this.page = 0;
    this.sorted_by = sort;
    this.descending = descending;
    this.heads = columns.map((column) => this.#head(column));
    this.body = el('tbody');
    this.table = el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, this.heads)), this.body);
    this.status = el('p', {class: 'status', role: 'status'});
    this.previous = el('button', {type: 'button', on: {click: () => this.#turn(-1)}}, 'Previous');
    this.next = el('button', {type: 'button', on: {click: () => this.#turn(1)}}, 'Next');
    this.pager = el('div', {class: 'pager'}, this.previous, this.status, this.next);
    this.element = el('div', {class: 'table'}, el('div', {class: 'scroller', tabindex: 0, role: 'region', 'aria-label': caption}, this.table), this.pager);
    this.set(rows);
  }

  set(rows) {
    this.rows = rows;
    this.page = 0;
    this.#sort();
    this.#show();
  }

  #head(column) {
    const props = {scope: 'col', class: column.number ? 'number' : null, title: column.title};
    if (!column.value) {
      return el('th', props, column.name);
    }
    return el('th', props, el('button', {type: 'button', on: {click: () => this.sort(column.name)}}, column.name));
  }

  sort(name) {
    const column = this.columns.find((one) => one.name === name);
    this.descending = this.sorted_by === name ? !this.descending : Boolean(column.number);
    this.sorted_by = name;
    this.page = 0;
    this.#sort();
    this.#show();
  }

  #sort() {
    const column = this.columns.find((one) => one.name === this.sorted_by);
    this.heads.forEach((head, i) => {
      this.columns[i] === column ? head.setAttribute('aria-sort', this.descending ? 'descending' : 'ascending') : head.removeAttribute('aria-sort');
    });
    if (!column) {
      this.shown = this.rows;
      return;
    }
    this.shown = order_of(this.rows.map(column.value), this.descending).map((i) => this.rows[i]);
  }

  #turn(by) {
    this.page += by;
    this.#show();
  }

  #show() {
    const begin = this.page * this.page_size;
    const end = Math.min(begin + this.page_size, this.shown.length);
    replace(this.body, this.shown.slice(begin, end).map((row, i) => this.#row(row, begin + i)));
    if (this.shown.length === 0) {
      this.body.append(el('tr', {}, el('td', {colspan: this.columns.length, class: 'empty'}, `No ${this.noun} to show`)));
    }
    this.table.setAttribute('aria-rowcount', this.shown.length + 1);
    const pages = this.shown.length > this.page_size;
    this.status.textContent = pages ? `${whole(begin + 1)} to ${whole(end)} of ${counted(this.shown.length, this.noun)}` : '';
    this.pager.hidden = !pages;
    this.previous.disabled = this.page === 0;
    this.next.disabled = end === this.shown.length;
  }

  #row(row, place) {
    const cells = this.columns.map((column, i) => {
      const props = {class: [column.number ? 'number' : '', column.class ?? ''].join(' ').trim() || null};
      return i === 0 ? el('th', {...props, scope: 'row'}, column.cell(row)) : el('td', props, column.cell(row));
    });
    return el('tr', {'aria-rowindex': place + 2}, cells);
  }
}
