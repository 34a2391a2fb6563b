// The page's modules that touch no document: what they make of records.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {read, to_finding, to_rpc, to_view, to_window} from '../../report/links.js';
import {Model, operation, records_of} from '../../report/model.js';
import {Index, order_of} from '../../report/places.js';
import {credit_intervals, credit_steps, dots, histogram, marks, merged, step_columns, throughput} from '../../report/series.js';
import {phases_of, steps_of, window_steps} from '../../report/steps.js';
import {bytes, duration, offset, printable, whole} from '../../report/units.js';

const BEGIN = '1700000000.000000000';
function at(us) {
  return `1700000000.${String(us * 1000).padStart(9, '0')}`;
}

function rpc(number, us, more = {}) {
  return {type: 'rpc', conn: 1, xid: `0x${number.toString(16).padStart(8, '0')}`, direction: 'forward', call_frame: 2 * number, reply_frame: 2 * number + 1,
    call_time: at(us), latency_us: 100, delivered_us: 100, phases: {serve: 100}, waited_on: 'responder', program: 100003, version: 3, procedure: 6,
    name: 'NFSv3 READ', op: 'READ', status: 'complete', requested: 32, granted: 8, args_length: 96, results_length: 1000, reads: [], writes: [], complete: true, ...more};
}

function made(...records) {
  return new Model([{type: 'report', begin: BEGIN, end: at(900), files: ['a.pcap'], rpcs: 9, rpcs_shown: 9, findings: 0, findings_shown: 0, disturbances_us: 100},
    {type: 'connection', conn: 1, client: '10.0.0.1', server: '10.0.0.2', transport: 'roce2', version: 1}, ...records]);
}

test('lines that are no records are counted and passed over', () => {
  const bad = {lines: 0};
  assert.deepEqual([...records_of('{"a":1}\n\nno\n{"b":2}', bad)], [{a: 1}, {b: 2}]);
  assert.equal(bad.lines, 1);
});

test('RPCs are in order of time, found by XID and by frame', () => {
  const model = made(rpc(2, 300), rpc(1, 100), rpc(3, 200, {call_frame: 50, writes: [[{handle: '0x1', frames: [60, 61]}]]}));
  assert.deepEqual(model.rpcs.map(({xid}) => xid), ['0x00000001', '0x00000003', '0x00000002']);
  assert.equal(model.find(1, '0x00000002').us, 300);
  assert.equal(model.find(2, '0x00000002'), null);
  assert.equal(model.with_frame(61).xid, '0x00000003');
  assert.equal(model.with_frame(7777), null);
  assert.equal(model.at(150), 1);
});

test('several RPCs of one XID are told apart by the frame of the Call', () => {
  const model = made(rpc(1, 100), rpc(1, 500, {call_frame: 90, reply_frame: 91}));
  assert.equal(to_rpc(model.rpcs[1], model), 'rpc=1:0x00000001@90');
  assert.equal(model.find(1, '0x00000001', 90).us, 500);
  assert.equal(model.find(1, '0x00000001').us, 100);
});

test('an operation is named with its protocol; a hostile name is a name', () => {
  assert.equal(operation({name: 'NFSv4 COMPOUND', op: 'OPEN'}), 'NFSv4 OPEN');
  assert.equal(operation({}), 'unknown procedure');
  assert.equal(operation({name: '__proto__', op: 'constructor'}), '__proto__ constructor');
  assert.equal(operation({op: 'toString'}), 'toString');
});

test('findings are by severity; what is accepted is apart, unless there is too much of it', () => {
  const finding = (rule, severity, more) => ({type: 'finding', rule, severity, certainty: 'definite', frame: 3, time: at(120), conn: 1, xid: '0x00000001', message: 'm', ...more});
  const records = [rpc(1, 100), finding('A-01', 'note'), finding('B-01', 'error'), finding('C-01', 'error', {known: true, fingerprint: 'f'})];
  const model = made(...records);
  assert.deepEqual(model.findings.map(({record}) => record.rule), ['B-01', 'A-01']);
  assert.deepEqual(model.known.map(({record}) => record.rule), ['C-01']);
  assert.equal(model.rpcs[0].findings.length, 3);
  const more = made(...records, {type: 'exceeded', rule: 'C-01', fingerprint: 'f', at_most: 1, found: 2});
  assert.deepEqual([more.findings.length, more.known.length], [3, 0]);
});

test('links lead where they come from; what is none asks for nothing', () => {
  const model = made(rpc(1, 100));
  assert.deepEqual(read(`#${to_rpc(model.rpcs[0], model)}`), {rpc: {conn: 1, xid: '0x00000001', frame: undefined}});
  assert.deepEqual(read(`#${to_finding({rule: 'MEM-09', frame: 22, conn: 1})}`), {finding: {rule: 'MEM-09', frame: 22, conn: 1}});
  assert.deepEqual(read('#frame=15'), {frame: 15});
  assert.deepEqual(read(`#${to_view('time', [500000, 1250000])}`), {view: 'time', window: [500000, 1250000], conn: null});
  assert.deepEqual(read(`#${to_window(7, [0, 1000])}`), {view: 'rpc', window: [0, 1000], conn: 7});
  for (const nothing of ['', '#', '#rpc=1:0x12', '#view=__proto__', '#finding=<b>:1', '#%E0%A4%A', '#view=time&t=2-1']) {
    assert.ok(!read(nothing)?.rpc && !read(nothing)?.finding && !read(nothing)?.window, nothing);
  }
});

test('Calls outstanding rise with Calls and fall with Replies; callbacks have credits of their own', () => {
  const model = made(rpc(1, 0), rpc(2, 50, {at_credit_limit_us: 20}), rpc(3, 60, {direction: 'backward'}));
  const steps = credit_steps(model, 1);
  assert.deepEqual(steps.times, [0, 50, 100, 150]);
  assert.deepEqual(steps.outstanding, [1, 2, 1, 0]);
  assert.deepEqual(steps.granted, [undefined, undefined, 8, 8]);
  assert.deepEqual(steps.limits, [[30, 50]]);
  assert.deepEqual(merged([[5, 6], [0, 2], [1, 3]]), [[0, 3], [5, 6]]);
});

test('the most of each pixel, and what it was when the window began', () => {
  assert.deepEqual([...step_columns([0, 10, 20], [1, 5, 0], 5, 25, 4)], [1, 5, 5, 0]);
  assert.deepEqual([...step_columns([0, 10, 22], [1, 5, 0], 5, 25, 4)], [1, 5, 5, 5]);
});

test('throughput counts each byte once; of intervals it is spread', () => {
  const model = made(rpc(1, 0), rpc(2, 300));
  const {to_client, to_server} = throughput(model, 1, 0, 1000, 10);
  const total = (rates) => rates.reduce((sum, rate) => sum + (rate * 100) / 1e6, 0);
  assert.equal(Math.round(total(to_client)), 2000);
  assert.equal(Math.round(total(to_server)), 192);
  const thinned = made({type: 'pace', conn: 1, interval: at(100), interval_ns: 500000, outstanding_us: 250, bytes_to_server: 100, bytes_to_client: 5000});
  const paced = throughput(thinned, 1, 0, 1000, 10);
  assert.equal(Math.round(total(paced.to_client)), 5000);
  assert.equal(paced.to_client[0], 0);
  assert.ok(paced.to_client[3] > 0);
  assert.equal(Math.round(total(throughput(thinned, 1, 200, 300, 1).to_client) / 10) * 10 >= 0, true);
  assert.equal(credit_intervals(thinned.paces.get(1)).outstanding[0], 0.5);
});

test('what disturbed a connection is marked, and pause frames on all', () => {
  const model = made({type: 'disturbances', conn: 1, interval: at(200), retransmitted_by_server: 2, cnps: 1}, {type: 'disturbances', interval: at(400), pauses: 3},
    {type: 'disturbances', rest: true, naks: 5});
  assert.deepEqual(marks(model, 1).map(({us, kind, count, text}) => [us, kind, count, text]), [[250, 'lost', 2, '2 packets sent again by the server'],
    [250, 'congested', 1, '1 CNP'], [450, 'congested', 3, '3 pause frames']]);
});

test('of dots in one place the worst is drawn', () => {
  const model = made(...Array.from({length: 50}, (_, i) => rpc(i + 1, 100, i === 30 ? {nfs_status: 'NFS3ERR_IO'} : {})), rpc(60, 800));
  const drawn = dots(model, model.of_connection(1), {from: 0, to: 1000, width: 100, height: 50, x_of: (us) => us / 10, y_of: () => 25});
  assert.equal(drawn.length, 2);
  assert.equal(drawn[0].bad, true);
  assert.equal(model.rpcs[drawn[0].index].failure, 'NFS3ERR_IO');
});

test('histograms hold every time', () => {
  assert.deepEqual(histogram([1, 10, 100, 100], 1, 100, 2), [1, 3]);
  assert.equal(histogram([5, 0, 1e9], 1, 1000, 7).reduce((a, b) => a + b), 3);
});

test('the steps of an RPC are in order, with the frames and header fields of each', () => {
  const record = rpc(1, 0, {phases: {serve: 20, write: 30, finish: 50},
    writes: [[{handle: '0x0000abcd', offset: '0x0000000000000010', length: 4096, moved: 4096, ops: 1, first_us: 20, last_us: 50, frames: [4, 5], returned: 4096}]]});
  const steps = steps_of(record);
  assert.deepEqual(steps.map(({title, to}) => [title, to]), [['Call READ', 'responder'], ['RDMA Write, 4 KiB', 'requester'], ['Reply', 'requester']]);
  assert.deepEqual(steps[1].frames, [4, 5]);
  assert.ok(steps[0].fields.some(([name, value]) => name === 'rdma_credit' && value === 32));
  assert.deepEqual(phases_of(record).map(({name, from, to}) => [name, from, to]), [['serve', 0, 20], ['write', 20, 50], ['finish', 50, 100]]);
});

test('a Reply that was not accepted when it was sent, and one that returns more than was written', () => {
  const late = steps_of(rpc(1, 0, {phases: {serve: 20, reply: 80}}));
  assert.deepEqual(late.map(({title, at: us, lost}) => [title, us, lost ?? false]), [['Call READ', 0, false], ['Reply', 20, true], ['Reply accepted', 100, false]]);
  const short = steps_of(rpc(1, 0, {writes: [[{handle: '0x1', offset: '0x0', length: 100, moved: 0, ops: 0, frames: [], returned: 50}]]}));
  assert.ok(short.some(({kind, title}) => kind === 'remark bad' && title === '50 B returned, 0 B written'));
});

test('the ladder of a window has the steps of all RPCs in it, and no others', () => {
  const model = made(rpc(1, 0), rpc(2, 50), rpc(3, 500), rpc(4, 60, {direction: 'backward'}));
  const {steps, left_out, rpcs} = window_steps(model, 1, [40, 400], 80);
  assert.equal(rpcs, 3);
  assert.equal(left_out, 0);
  assert.deepEqual(steps.map(({title, at: us, to}) => [title, us, to]), [['Call READ', 10, 'responder'], ['Call READ', 20, 'requester'], ['Reply', 60, 'requester'],
    ['Reply', 110, 'requester'], ['Reply', 120, 'responder']]);
  assert.equal(window_steps(model, 1, [40, 400], 2).left_out, 3);
});

test('places by number, also where hashes and numbers meet', () => {
  const index = new Index(5000);
  for (let i = 0; i < 4999; ++i) {
    index.add((i % 1000) * 0x10001, i);
  }
  index.add(undefined, 7);
  for (let number = 0; number < 1000; ++number) {
    assert.deepEqual(index.get(number * 0x10001), [0, 1, 2, 3, 4].map((round) => round * 1000 + number).filter((place) => place < 4999));
  }
  assert.deepEqual(index.get(3), []);
  assert.deepEqual(new Index(0).get(0), []);
});

test('orders: whole numbers, others, text; equal ones as they stand, what is unknown last', () => {
  assert.deepEqual(order_of([3, undefined, 1, 3, 0], false), [4, 2, 0, 3, 1]);
  assert.deepEqual(order_of([3, undefined, 1, 3, 0], true), [0, 3, 2, 4, 1]);
  assert.deepEqual(order_of([0.5, -1, undefined, 0.5], true), [0, 3, 1, 2]);
  assert.deepEqual(order_of(['b', 'a', undefined, 'b'], false), [1, 0, 3, 2]);
  const keys = Array.from({length: 3000}, (_, i) => (i * 7919) % 1013);
  assert.deepEqual(order_of(keys, true), order_of(keys.map((key) => key + 0.5), true));
});

test('numbers as people read them', () => {
  assert.deepEqual([duration(688), duration(4934), duration(1500000), duration(3.7e9), duration(-5)], ['688 µs', '4.93 ms', '1.50 s', '1 h 01 min', '-5 µs']);
  assert.deepEqual([bytes(0), bytes(1024), bytes(1536), whole(1234567), offset(1500000, 1e5)], ['0 B', '1 KiB', '1.5 KiB', '1,234,567', '1.5']);
  assert.equal(printable('a\u202eb\u0000'), 'a\\u202eb\\u0000');
});
