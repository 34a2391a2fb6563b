// What the page of `steertag report` prints of numbers, by its own modules: for each file of records that is named,
// one line of JSON. The views build a document; here it is a few lines of stand-in, of which only the text is read.
//
// usage: page_numbers.mjs RECORDS...
import {readFileSync} from 'node:fs';

class Node {
  constructor(name = '') {
    Object.assign(this, {name, children: [], attributes: {}, dataset: {}, style: {}, value: '', classList: {add() {}, toggle() {}, contains: () => false}});
  }
  append(...children) {
    this.children.push(...children);
  }
  setAttribute(key, value) {
    this.attributes[key] = value;
  }
  removeAttribute(key) {
    delete this.attributes[key];
  }
  addEventListener() {}
  set textContent(text) {
    this.children = text === '' ? [] : [text];
  }
  get textContent() {
    return this.children.map((child) => child.textContent ?? String(child)).join('');
  }
  all(found) {
    return [...(found(this) ? [this] : []), ...this.children.flatMap((child) => (child instanceof Node ? child.all(found) : []))];
  }
  named(name) {
    return this.all((node) => node.name === name);
  }
  classed(word) {
    return this.all(({attributes}) => String(attributes.class ?? '').split(' ').includes(word));
  }
}

globalThis.document = {createElement: (name) => new Node(name), createElementNS: (_, name) => new Node(name), documentElement: new Node()};
globalThis.addEventListener = () => {};

const report = '../../report';
const {records_of, Model} = await import(`${report}/model.js`);
const {summary_view} = await import(`${report}/summary.js`);
const {operations_view} = await import(`${report}/operations.js`);
const {coverage_view} = await import(`${report}/verdict.js`);
const {verdict, severities} = await import(`${report}/health.js`);
const {phases_of} = await import(`${report}/steps.js`);
const {duration} = await import(`${report}/units.js`);
const {losses_of} = await import(`${report}/loss_table.js`);
const {Lane} = await import(`${report}/lane.js`);
const {Overview} = await import(`${report}/overview.js`);
Lane.prototype.start = () => {}; // its charts are drawn on a canvas

function inside(view) {
  const node = new Node();
  node.append(...[view].flat(9).filter((child) => child instanceof Node));
  return node;
}

// Rows of a table, each by its headings.
function rows(table) {
  const heads = table.named('thead')[0].named('th').map((head) => head.textContent);
  return table.named('tbody')[0].named('tr').map((row) => Object.fromEntries(row.children.map((cell, i) => [heads[i], cell.textContent])));
}

function numbers(text) {
  const model = new Model(records_of(text));
  const summary = inside(summary_view(model));
  const {element, rpcs} = operations_view(model);
  const overview = new Overview(model, {go() {}, on_window() {}});
  overview.start();
  const took = rpcs.table.columns.filter(({name}) => ['took', 'sent at', 'arguments', 'results'].includes(name));
  const coverage = inside(coverage_view(model));
  return {
    figures: Object.fromEntries(summary.classed('figures')[0].children.map((one) => {
      const [name, value, ...hints] = one.children.map((child) => child.textContent);
      return [name, {value, hints}];
    })),
    answers: summary.classed('answer').map((one) => one.textContent),
    standouts: summary.classed('standouts').flatMap((list) => list.children.map((item) => item.children.map((child) => child.textContent ?? child))),
    health: verdict(model).sentence,
    severities: severities(model),
    operations: rows(element.named('table')[0]),
    phases: element.named('table')[0].classed('phases').map((one) => one.attributes['aria-label']),
    view: overview.status.textContent,
    rpcs: model.rpcs.map((rpc) => ({conn: rpc.conn, xid: rpc.xid, frame: rpc.frame, phases: phases_of(rpc.record).map(({name, from, to}) => [name, duration(to - from)]),
      ...Object.fromEntries(took.map(({name, cell}) => [name, cell(rpc).textContent ?? cell(rpc)]))})),
    coverage: coverage.children[0]?.textContent ?? '',
    losses: [...model.losses.keys()].map((conn) => losses_of(model, conn)).filter(Boolean).map(({words, element}) => ({words, rows: rows(element.named('table')[0])})),
    tallies: coverage.named('table').flatMap(rows),
  };
}

for (const path of process.argv.slice(2)) {
  console.log(JSON.stringify(numbers(readFileSync(path, 'utf8'))));
}
