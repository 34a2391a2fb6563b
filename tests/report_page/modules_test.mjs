// The page's modules that touch no document: what they make of records.
import assert from 'node:assert/strict';
import {side_by_side} from '../../report/against.js';
import {test} from 'node:test';
import {bars, laid_out, loss_of, MOST_ROWS, span_of} from '../../report/bars.js';
import {certainty_of, tally_words, weights_of} from '../../report/certainty.js';
import {named_as, place_of} from '../../report/frames.js';
import {csv_of} from '../../report/csv.js';
import {health, severities, verdict} from '../../report/health.js';
import {limits_of} from '../../report/limits.js';
import {read, to_filter, to_finding, to_lane, to_rpc, to_view, to_window} from '../../report/links.js';
import {captures_of,Model, records_of} from '../../report/model.js';
import {operation} from '../../report/rpc.js';
import {Index, order_of} from '../../report/places.js';
import {policy_lines} from '../../report/policies.js';
import {RpcFilter, time_of} from '../../report/rpc_filter.js';
import {rows_of_connections, worst_first} from '../../report/connections.js';
import {blocks_of} from '../../report/rule_page.js';
import {credit_intervals, credit_steps, dots, histogram, latency_scale, marks, merged, step_columns, throughput} from '../../report/series.js';
import {bounds_of, number_text, sequence_of, sequence_words} from '../../report/sequence.js';
import {setback_steps, setback_words} from '../../report/setbacks.js';
import {phases_of, steps_of, window_steps} from '../../report/steps.js';
import {standing_out, totals} from '../../report/summary.js';
import {bytes, clock, duration, file_name, iso_date, offset, percentile, printable, sentence, whole} from '../../report/units.js';

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

test('two captures in one page are told apart by their streams', () => {
  const [one, two] = [[{type: 'stream'}, {type: 'rpc'}, {type: 'summary'}], [{type: 'stream'}, {type: 'summary'}]];
  assert.deepEqual(captures_of(one), [one]);
  assert.deepEqual(captures_of([...one, ...two]), [one, two]);
  assert.deepEqual(captures_of([]), [[]]);
});

test('what two captures have is set side by side', () => {
  assert.deepEqual(side_by_side([{op: 'a', n: 1}, {op: 'b', n: 2}], [{op: 'c', n: 3}, {op: 'a', n: 4}], ({op}) => op),
    [{name: 'a', here: {op: 'a', n: 1}, there: {op: 'a', n: 4}}, {name: 'b', here: {op: 'b', n: 2}}, {name: 'c', there: {op: 'c', n: 3}}]);
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

test('what the verdict was configured by is named, with its digest', () => {
  assert.deepEqual(policy_lines(made()), []);
  const model = made({type: 'stream', format: 1, configured_by: [{file: 'a\u202e.toml', kind: 'baseline', sha256: 'ab'}, {file: 'b', kind: 'toString', sha256: 'cd'}]});
  assert.deepEqual(policy_lines(model), ['baseline a\\u202e.toml (SHA-256 ab)', 'configured by b (SHA-256 cd)']);
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
  assert.deepEqual(read(`#${to_view('time', [500000, 1250000])}`), {view: 'time', window: [500000, 1250000], conn: null, filter: null});
  assert.deepEqual(read(`#${to_window(7, [0, 1000])}`), {view: 'rpc', window: [0, 1000], conn: 7, filter: null});
  assert.deepEqual(read(`#${to_lane(3)}`), {view: 'time', window: null, conn: 3, filter: null});
  assert.deepEqual(read(`#${to_filter({text: 'a&b=c', least: ''})}`).filter, {text: 'a&b=c', least: '', op: '', state: '', conn: ''});
  const all = {text: '', least: '10 ms', op: 'NFSv3 LOOKUP', state: 'bad', conn: '2'};
  assert.deepEqual(read(`#${to_filter(all, [16e6, 18e6], 'time')}`), {view: 'time', window: [16e6, 18e6], conn: null, filter: all});
  assert.equal(to_filter({text: '', least: '2 ms', op: '', state: '', conn: ''}), 'view=operations&least=2%20ms');
  assert.equal(read('#view=time&t=5-3').wrong, '5-3');
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

test('a Call is outstanding until its Reply is accepted, which may be a later copy', () => {
  const steps = credit_steps(made(rpc(1, 0, {latency_us: 100, delivered_us: 700}), rpc(2, 200, {delivered_us: undefined})), 1);
  assert.deepEqual(steps.times, [0, 200, 300, 700]);
  assert.deepEqual(steps.outstanding, [1, 2, 1, 0]);
});

test('on a connection that has ended no Call is outstanding', () => {
  const lost = rpc(1, 0, {latency_us: 100, never_accepted: true});
  const found = finding('NET-02', 'note', 'definite', {frame: 90, time: at(300), conn: 1});
  assert.deepEqual(credit_steps(made(lost, found), 1).times, [0, 900]);
  assert.deepEqual(credit_steps(made(lost, found, {type: 'connection', conn: 1, ended: 'disconnect'}), 1).times, [0, 300]);
});

test('RPCs that were under way at once are bars in rows of their own; one without a Reply is open', () => {
  const model = made(rpc(1, 0), rpc(2, 50), rpc(3, 120), rpc(4, 130, {status: 'no_reply', reply_frame: undefined, latency_us: undefined, delivered_us: undefined, phases: undefined, unanswered_us: 700}));
  const list = model.of_connection(1);
  const laid = laid_out(model, list);
  assert.deepEqual([laid.rows, ...laid.row], [3, 0, 1, 0, 2]);
  assert.deepEqual(span_of(model.rpcs[3]), {from: 130, to: 830, open: true});
  const shown = bars(model, list, laid, {from: 400, to: 900, width: 500});
  assert.deepEqual(shown.map(({x, until, row, open}) => [x, until, row, open]), [[-2, 430, 2, true]]);
  assert.equal(bars(model, list, laid, {from: 0, to: 1e6, width: 100}).length, 3, 'one a pixel of a row');
  assert.deepEqual(model.under_way(400, 900).map(({xid}) => xid), ['0x00000004']);
  const many = made(...Array.from({length: 100}, (_, i) => rpc(i + 1, i)));
  assert.equal(laid_out(many, many.of_connection(1)).rows, MOST_ROWS);
});

test('an RPC whose Reply did not arrive waits until it is sent again, be it on another connection', () => {
  const lost = rpc(1, 0, {delivered_us: undefined, phases: undefined, never_accepted: true});
  const model = made(lost, rpc(1, 600, {conn: 2, call_frame: 9, reply_frame: 10, attempts: 2, retry_of: {conn: 1, call_frame: 2}, total_us: 700}), {...lost, xid: '0x00000007', call_frame: 70});
  const [first, alone, again] = model.rpcs;
  assert.deepEqual(span_of(first), {from: 0, to: 600, open: true});
  assert.equal(first.next, again);
  assert.deepEqual(span_of(alone), {from: 0, to: 900, open: true}, 'to the end of the capture');
  assert.deepEqual([again.begin, again.end, again.waits, model.end], [0, 700, false, 900]);
});

test('what went by on loss is where the Call or the Reply waited, else where something was sent again', () => {
  const record = (more) => rpc(1, 0, {delivered_us: 1000, ...more});
  assert.deepEqual(loss_of(record({})), []);
  assert.deepEqual(loss_of(record({phases: {call: 900, serve: 100}, recovery_us: 900})), [[0, 900]]);
  assert.deepEqual(loss_of(record({phases: {call: 100, serve: 300, reply: 600}, recovery_us: 700})), [[0, 100], [400, 1000]]);
  const setbacks = [{frame: 1, us: 700, what: 'sent_again'}, {frame: 2, us: 800, what: 'nak'}];
  assert.deepEqual(loss_of(record({phases: {serve: 100, write: 900}, recovery_us: 500, setbacks})), [[200, 700]]);
  assert.deepEqual(loss_of(record({phases: undefined, recovery_us: 500})), [[500, 1000]]);
});

test('RPCs are filtered by words, by how long they took or have waited, and by window', () => {
  const waits = {status: 'no_reply', reply_frame: undefined, latency_us: undefined, delivered_us: undefined, phases: undefined, unanswered_us: 5000};
  const model = made(rpc(1, 0), rpc(2, 50, {name: 'NFSv3 WRITE', op: 'WRITE', delivered_us: 900, writes: [[{handle: '0x00008f02'}]]}), rpc(3, 90, waits));
  const none = {text: '', least: 0, op: -1, state: '', conn: 0, window: null};
  const chosen = (asked) => new RpcFilter(model).chosen({...none, ...asked}).map(({xid}) => Number(xid));
  assert.deepEqual(chosen({}), [1, 2, 3]);
  assert.deepEqual(chosen({text: 'write  10.0.0.2'}), [2]);
  assert.deepEqual(chosen({text: '8F02'}), [2]);
  assert.deepEqual(chosen({text: 'no reply'}), [3]);
  assert.deepEqual(chosen({least: 500}), [2, 3]);
  assert.deepEqual(chosen({window: [2000, 3000]}), [3]);
  assert.deepEqual(chosen({text: 'read 22:13:20.00009'}), [3], 'by the clock of the tap');
  const late = new RpcFilter(made(rpc(1, 0, {reply_accepted_frame: 1118})));
  assert.equal(late.chosen({...none, text: '1118'}).length, 1, 'by the frame of the copy that was accepted');
  assert.deepEqual(['', '10 ms', '1.5s', '7µs', '10', 'x', '1e9 s'].map(time_of), [0, 10000, 1.5e6, 7, null, null, null]);
});

test('what a note and an incident say alike stands there once', () => {
  const note = {type: 'note', kind: 'loss', conn: 1, message: 'p90 of READ is loss'};
  const incident = {type: 'incident', kind: 'loss', begin: BEGIN, conns: [1], rpcs: 1, cost_us: 5, certainty: 'likely', text: 'P90 of READ is loss', frames: []};
  assert.deepEqual(standing_out(made(note, incident)).map(({text, word}) => [text, word]), [['P90 of READ is loss', 'loss']]);
  assert.deepEqual(standing_out(made(note, {...incident, text: 'Another'})).map(({text}) => text), ['Another', 'p90 of READ is loss']);
  const finding = (frame) => ({type: 'finding', rule: 'A-01', severity: 'note', certainty: 'definite', frame, time: at(120), conn: 1, message: `m${frame}`});
  assert.deepEqual(standing_out(made(finding(1), finding(2), finding(3))).map(({text}) => text), ['m1, and 2 more of A-01']);
});

const HAPPENED = {type: 'incident', begin: at(100), end: at(800), conns: [1], rpcs: 1, cost_us: 5, side: 'network', certainty: 'definite', frames: [44, 2]};

test('an incident says what happened, where to look, when it was and what it cost', () => {
  const of = (more) => standing_out(made(rpc(1, 100), {...HAPPENED, kind: 'loss', text: 'Packets were lost', ...more}))[0];
  const card = of({});
  assert.deepEqual([card.word, card.where, card.fragment, card.sure], ['loss', 'Look at the network, frame 44', 'frame=44', undefined]);
  assert.match(card.why, /^It began at 22:13:20\.000 UTC and lasted 700 µs\. It cost 5 µs of RPC time\. Packets did not arrive/);
  assert.match(card.also.fragment, /^view=time&t=0-/);
  assert.match(of({end: undefined}).why, /^It began at 22:13:20\.000 UTC and lasts when the capture ends\./);
  assert.match(of({certainty: 'possible'}).sure, /^Only possible/);
  assert.doesNotMatch(of({rpcs: 0, cost_us: 6e6}).why, /RPC time/);
  assert.equal(of({side: undefined}).where, 'Look at frame 44');
});

test('every incident is in the answer to whether it is healthy', () => {
  const of = (...more) => health(made(rpc(1, 100), ...more.map((one) => ({...HAPPENED, text: 'x', ...one})))).word;
  assert.equal(of({kind: 'loss'}), 'Conforming, but losing packets.');
  assert.equal(of({kind: 'loss', certainty: 'possible'}), 'Conforming, but possibly losing packets.');
  assert.equal(of({kind: 'slow_server'}, {kind: 'congestion'}), 'Conforming, but slow at the server and congested.');
  assert.equal(of({kind: 'connection_lost'}), 'Losing connections; conforming.');
  const lost = {type: 'loss', conn: 1, from: 'a', to: 'b', time: at(300), first: 2, packets: 1, where: 'after_tap'};
  assert.equal(health(made(rpc(1, 100), {...HAPPENED, kind: 'loss', text: 'x', certainty: 'possible'}, lost)).word, 'Conforming, but losing packets.');
});

test('a note that an incident tells is not told again', () => {
  const note = (kind, more) => ({type: 'note', kind, conn: 2, message: kind, ...more});
  const unanswered = {status: 'no_reply', reply_frame: undefined, latency_us: undefined, delivered_us: undefined, phases: undefined, unanswered_us: 700};
  const notes = (incident, ...records) => standing_out(made(...records, {...HAPPENED, text: 'x', ...incident})).filter(({level}) => level === 'slow').map(({text}) => text);
  const again = [rpc(1, 0, {never_accepted: true}), rpc(1, 600, {conn: 2, call_frame: 9, reply_frame: 10, retry_of: {conn: 1, call_frame: 2}})];
  const told = [note('outage', {conn: 1}), note('retries', {frame: 9}), note('reconnect', {frame: 9}), note('loss')];
  assert.deepEqual(notes({kind: 'connection_lost'}, ...again, ...told), ['loss']);
  assert.deepEqual(notes({kind: 'connection_lost', conns: [3]}, ...again, ...told), ['outage', 'retries', 'reconnect', 'loss']);
  assert.deepEqual(notes({kind: 'hang'}, rpc(1, 0, unanswered), note('unanswered', {conn: 1})), []);
  assert.deepEqual(notes({kind: 'hang'}, rpc(1, 0, unanswered), rpc(2, 0, {...unanswered, conn: 2}), note('unanswered', {conn: 1})), ['unanswered'], 'one waits elsewhere');
});

test('what congestion was is said as it was seen', () => {
  const why = (load) => standing_out(made(rpc(1, 100), {type: 'load', conn: 1, retransmitted: 0, ...load}, {type: 'note', kind: 'congestion', conn: 1, message: 'm'}))[0].why;
  assert.equal(why({pauses: 200}), 'Pause frames told a device to stop sending for a time');
  assert.equal(why({ecn_ce: 3, cnps: 2}), 'Switches marked packets as congested (ECN) and CNPs told the sender to slow down');
  assert.equal(why({}), undefined);
});

test('of a Call whose Reply may be missing from the capture nothing is said that nobody can know', () => {
  const call = (more) => rpc(1, 0, {status: 'no_reply', reply_frame: undefined, latency_us: undefined, delivered_us: undefined, phases: undefined, unanswered_us: 700, complete: false, incomplete_because: 'capture_ended', ...more});
  const stat = {type: 'stat', op: 'READ', protocol: 'NFSv3', count: 1, failed: 0, unanswered: 1, retries: 0, args_bytes: 96, results_bytes: 0, timed: 0};
  const shown = (record, ...connection) => {
    const model = made(record, stat, ...connection);
    const [one] = model.rpcs;
    return {waits: one.waits, unanswered: one.unanswered, span: span_of(one), outstanding: credit_steps(model, 1).outstanding, last: steps_of(one.record, one.lacking).at(-1),
      totals: Object.fromEntries(totals(model).map(({name, value}) => [name, value])), found: new RpcFilter(model).chosen({text: '', least: 0, op: -1, state: 'bad', conn: 0, window: null}).length};
  };
  const waits = shown(call({}));
  assert.deepEqual([waits.waits, waits.span.open, waits.span.to, waits.totals.unanswered, waits.found], [true, true, 700, 1, 1]);
  const iwarp = {type: 'connection', conn: 1, transport: 'iwarp', pairing: 'setup', traffic_class: {from_client: {}}};
  for (const hidden of [shown(call({}), {type: 'connection', conn: 1, pairing: 'one_sided'}), shown(call({}), iwarp), shown(call({incomplete_because: 'frames_missing'}))]) {
    assert.deepEqual([hidden.waits, hidden.unanswered, hidden.span, hidden.outstanding, hidden.found], [false, false, {from: 0, to: 0, open: false}, [], 0]);
    assert.deepEqual(['failed', 'unanswered', 'longest', 'arguments of Calls', 'results of Replies'].map((name) => hidden.totals[name]), [undefined, undefined, undefined, 96, undefined]);
    assert.deepEqual([hidden.last.title, hidden.last.at, hidden.last.detail], ['No Reply was captured', undefined, 'it may be missing from the capture']);
  }
  assert.equal(shown(call({}), {...iwarp, traffic_class: {from_client: {}, from_server: {}}}).waits, true);
});

test('CSV is quoted, and no text of it is a formula', () => {
  const columns = [{name: 'a', value: ({a}) => a}, {name: 'b,c', value: ({b}) => b}];
  assert.equal(csv_of(columns, [{a: -1, b: '=1+1'}, {b: 'say "so"\nand'}]), 'a,"b,c"\r\n-1,\'=1+1\r\n,"say ""so""\nand"\r\n');
});

test('a time on the clock of the tap', () => {
  assert.equal(iso_date('1795298235.195569123'), '2026-11-21T21:57:15.195569Z');
  assert.equal(clock('1795298235.195569123'), '21:57:15.195569');
  assert.equal(clock('never'), '');
});

test('connections with the worst findings come first, then those with the longest waits', () => {
  const finding = {type: 'finding', rule: 'A-01', severity: 'error', certainty: 'definite', frame: 3, time: at(120), conn: 3, message: 'm'};
  const model = made({type: 'connection', conn: 2, client: 'c', server: 's'}, {type: 'connection', conn: 3, client: 'c', server: 's'}, rpc(1, 0), rpc(2, 0, {conn: 2, delivered_us: 900, recovery_us: 700}), finding);
  assert.deepEqual(worst_first(model), [3, 2, 1]);
  assert.deepEqual(rows_of_connections(model).map(({conn, rpcs, lost, longest, error}) => [conn, rpcs, lost, longest, error]), [[3, 0, 0, undefined, 1], [2, 1, 700, 900, 0], [1, 1, 0, 100, 0]]);
});

test('of several attempts of a Call the last counts; how long one without a Reply has waited is told apart', () => {
  const failed = {nfs_status: 'NFS3ERR_NOENT'};
  const waits = rpc(3, 0, {status: 'no_reply', reply_frame: undefined, latency_us: undefined, delivered_us: undefined, phases: undefined, unanswered_us: 700});
  const model = made({type: 'connection', conn: 2, client: 'c', server: 's'}, rpc(1, 0, {...failed, never_accepted: true}), rpc(1, 600, {...failed, conn: 2, call_frame: 9, reply_frame: 10, retry_of: {conn: 1, call_frame: 2}}), waits);
  assert.deepEqual(rows_of_connections(model).map(({conn, failed: some, waiting}) => [conn, some, waiting]).sort(), [[1, 0, 700], [2, 1, undefined]]);
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
  assert.equal(drawn[0].bad, 1);
  assert.equal(model.rpcs[drawn[0].index].failure, 'NFS3ERR_IO');
});

test('a dot stands where the axis of latency has its time, below the band of marks', () => {
  const {low, high, top, y_of} = latency_scale([413, 10_500, 2000], 176, 16);
  assert.deepEqual([low, high], [100, 100_000]);
  assert.ok(Math.abs(y_of(high) - 16) < 1e-9);
  assert.ok(Math.abs(y_of(low) - 176) < 1e-9);
  assert.ok(Math.abs(y_of(top)) < 1e-9);
  assert.ok(y_of(10_500) < y_of(10_000));
  assert.ok(Math.abs((y_of(1000) - y_of(10_000)) - (y_of(100) - y_of(1000))) < 1e-9);
  assert.deepEqual(Object.values(latency_scale([], 176, 16)).slice(0, 2), [100, 1000]);
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
  assert.deepEqual([duration(688), duration(4934), duration(1500000), duration(62.6e6), duration(3.7e9), duration(-5)], ['688 µs', '4.93 ms', '1.50 s', '62.6 s', '3700 s', '-5 µs']);
  assert.deepEqual([percentile([7], 0.5), percentile([1, 2, 3, 4], 0.5), percentile([1, 2, 3], 0.5), percentile([1, 2, 3], 0.99), percentile([1, 2], 0)], [7, 2, 2, 3, 1]);
  assert.deepEqual([duration(2025), duration(2024.9), duration(837.6), duration(999.9), duration(31.87), duration(0.45), duration(1234.5e3), duration(9995e3)],
    ['2.03 ms', '2.02 ms', '837 µs', '999 µs', '31.8 µs', '450 ns', '1.23 s', '10.0 s']);
  const many = Array.from({length: 5000}, (_, i) => 1000 + i * 3);
  assert.deepEqual([percentile(many, 0.5), percentile(many.slice(0, 2048), 0.5)], [8495.104, 4069]);
  assert.deepEqual([bytes(4352), bytes(1024 * 1024 - 1), bytes(65537)], ['4.3 KiB', '1.0 MiB', '64.0 KiB']);
  assert.deepEqual([bytes(0), bytes(1024), bytes(1536), whole(1234567), offset(1500000, 1e5)], ['0 B', '1 KiB', '1.5 KiB', '1,234,567', '1.5']);
  assert.equal(printable('a\u202eb\u0000'), 'a\\u202eb\\u0000');
});

function finding(rule, severity, certainty, more = {}) {
  return {type: 'finding', rule, severity, certainty, frame: 3, time: at(120), conn: 1, message: 'm', related: [], ...more};
}

function tally(rule, kept, broken, undecided = 0) {
  return {type: 'tally', rule, checked: kept + broken + undecided, kept, broken, undecided};
}

test('how sure a finding is, and why, is said in words, with what the capture lacks', () => {
  const model = made(rpc(1, 100, {complete: false, incomplete_because: 'call_missing'}), finding('A-01', 'error', 'definite'), finding('B-01', 'error', 'likely'),
    finding('C-01', 'error', 'possible', {xid: '0x00000001'}), {type: 'connection', conn: 1, setup_seen: false, server_gaps: 2});
  const said = Object.fromEntries(model.findings.map((one) => [one.record.rule, certainty_of(one, model)]));
  assert.equal(said['A-01'].word, 'Certain');
  assert.match(said['A-01'].why, /prove it/);
  assert.doesNotMatch(said['A-01'].why, /here,/);
  const whole = made(finding('A-01', 'error', 'definite'), {type: 'connection', conn: 1, setup_seen: true, client_gaps: 0, server_gaps: 0, pairing: 'complete'});
  assert.match(certainty_of(whole.findings[0], whole).why, /could explain it; here, no sequence number of the connection is missing/);
  const one_sided = made(finding('A-01', 'error', 'definite'), {type: 'connection', conn: 1, pairing: 'one_sided'});
  assert.doesNotMatch(certainty_of(one_sided.findings[0], one_sided).why, /here,/);
  assert.equal(said['B-01'].word, 'Likely');
  assert.equal(said['C-01'].word, 'Only possible');
  assert.match(said['C-01'].why, /held against nobody; here, the setup of the connection was not captured, there are 2 gaps in what was captured of the connection and of the RPC, its Call is missing$/);
});

test('verdict, counts and rules agree: notes, warnings, errors, only possible, known', () => {
  const of = (findings, counts, ...more) => {
    const model = made(...findings, {type: 'summary', findings: {error: 0, warning: 0, note: 0, ...counts}}, ...more);
    return {...verdict(model), weights: weights_of(model), counts: severities(model)};
  };
  const notes = of([finding('A-01', 'note', 'definite')], {note: 1}, tally('A-01', 2, 10));
  assert.deepEqual([notes.word, notes.level, notes.weights.get('A-01')], ['Conforming', 'good', 'note']);
  assert.match(notes.sentence, /1 note below is advice, not a violation/);
  assert.equal(tally_words(tally('A-01', 2, 10), 'note'), 'Checked 12 times: kept 2 times, worth a note 10 times.');
  const warnings = of([finding('A-01', 'warning', 'likely'), finding('A-01', 'note', 'definite')], {warning: 1, note: 1});
  assert.deepEqual([warnings.word, warnings.weights.get('A-01')], ['Mostly conforming', 'warning']);
  assert.doesNotMatch(warnings.sentence, /could explain/);
  assert.match(of([finding('A-01', 'warning', 'possible')], {warning: 1}).sentence, /which frames missing from the capture could explain/);
  const errors = of([finding('A-01', 'error', 'definite')], {error: 1});
  assert.deepEqual([errors.word, errors.weights.get('A-01')], ['Not conforming', 'error']);
  assert.equal(tally_words(tally('A-01', 0, 1, 2), 'error'), 'Checked 3 times: kept never, broken once, undecided 2 times since the capture does not show enough.');
  assert.equal(of([finding('A-01', 'error', 'possible')], {error: 1}).word, 'Perhaps not conforming');
  const known = of([finding('A-01', 'error', 'definite', {known: true, fingerprint: 'f'})], {});
  assert.deepEqual([known.word, known.weights.get('A-01')], ['Conforming', 'accepted']);
  assert.match(known.sentence, /known and accepted is not counted/);
  assert.equal(of([], {}).sentence.includes('note'), false);
});

test('the first screen says how many RPCs waited for lost packets, how long in all, and which one longest', () => {
  const stat = {type: 'stat', op: 'READ', protocol: 'NFSv3', count: 4, timed: 4, delivered_us: {mean: 500, max: 1000}, recovery_us: 450, sums_us: {delivered: 2000, recovery: 1800}};
  const load = {type: 'load', conn: 1, retransmitted: 3};
  const note = {type: 'note', kind: 'loss', conn: 1, message: 'm'};
  const of = (...records) => health(made(...records, stat, load, note, {type: 'summary', rpcs: records.length}));
  assert.match(of(rpc(1, 0, {recovery_us: 600}), rpc(2, 1, {recovery_us: 1200}), rpc(3, 2)).sentence,
    /^3 packets were sent again\. 2 of 3 RPCs waited for lost packets, 1\.80 ms in all, 90 % of the time of all RPCs; the NFSv3 READ in frame 4 waited longest: 1\.20 ms\./);
  assert.match(of(rpc(1, 0, {recovery_us: 600}), rpc(2, 1)).sentence, /again\. The NFSv3 READ in frame 2 waited for lost packets: 600 µs\. No /);
  assert.doesNotMatch(of(rpc(1, 0)).sentence, /waited/);
  const refused = {recovery_us: 600, naks: 20, rnr_naks: 20};
  assert.match(of(rpc(1, 0, refused), rpc(2, 1, refused)).sentence, / 2 of 2 RPCs waited for a receive buffer, /);
  assert.match(of(rpc(1, 0, refused), rpc(2, 1, {recovery_us: 600})).sentence, / 2 of 2 RPCs waited for packets that were lost or refused, /);
  for (const shown of [[rpc(1, 0, {recovery_us: 600})], [rpc(1, 0, {recovery_us: 600}), rpc(2, 1, {recovery_us: 1200})]]) {
    const some = health(made(...shown, stat, load, note, {type: 'summary', rpcs: 4}));
    assert.match(some.sentence, /again\. RPCs waited for lost packets, 1\.80 ms in all, /); // how many, the page does not know
  }
});

const LOST = {delivered_us: 5000, phases: {serve: 20, reply: 4980}, recovery_us: 4900, reply_accepted_frame: 40, call_acknowledged: {frame: 8, us: 10}, reply_acknowledged: {frame: 41, us: 5010},
  setbacks: [{frame: 30, us: 30, what: 'sent_again', by: 'responder'}, {frame: 31, us: 33, what: 'sent_again', by: 'responder'}, {frame: 33, us: 40, what: 'nak', by: 'requester'},
    {frame: 39, us: 4900, what: 'sent_again', by: 'responder'}, {frame: 40, us: 5000, what: 'sent_again', by: 'responder'}], setbacks_in_all: 9};

test('the ladder says which packets were lost and sent again, and which copy was accepted', () => {
  const steps = steps_of(rpc(1, 0, LOST));
  assert.deepEqual(steps.map(({title, state, frames}) => [title, state, frames]), [
    ['Call READ', undefined, [2]], ['The Call is acknowledged', undefined, [8]], ['Reply', 'not accepted', [3]], ['2 packets sent again', 'sent again', [30, 31]],
    ['and 4 more packets sent again or refused', undefined, []], ['NAK: packets before this are missing', 'refused', [33]], ['1 packet sent again', 'sent again', [39]],
    ['Reply accepted', 'accepted', [40]], ['The Reply is acknowledged', undefined, [41]]]);
  assert.equal(steps.find(({state}) => state === 'refused').to, 'responder');
  assert.equal(setback_words(LOST), '9 packets sent again or refused');
  assert.equal(setback_words({setbacks: LOST.setbacks}), '4 packets sent again, 1 NAK');
  assert.equal(setback_words({}), '');
  assert.equal(setback_steps({setbacks: [{frame: 1, us: 0, what: 'of later versions', by: 'requester'}]})[0].title, 'of later versions');
});

test('every frame leads to something: an RPC, a finding, or what went on meanwhile', () => {
  const model = made(rpc(1, 100, LOST), rpc(100, 6000), finding('NET-02', 'note', 'definite', {frame: 900, time: at(800), related: [7, 33, 250], related_times: [at(50), at(140), at(5900)]}));
  assert.equal(place_of(model, 31).rpc.xid, '0x00000001'); // sent again
  assert.equal(place_of(model, 40).rpc.xid, '0x00000001'); // accepted
  assert.equal(place_of(model, 8).rpc.xid, '0x00000001'); // acknowledges the Call
  const before = place_of(model, 7);
  assert.deepEqual([before.rpc, before.us, before.conn, before.under_way.length, before.after.xid], [null, 50, 1, 0, '0x00000001']);
  assert.match(named_as(before.findings[0], 7), /rests on/);
  const found = place_of(model, 900);
  assert.deepEqual([found.us, found.under_way.map(({xid}) => xid)], [800, ['0x00000001']]);
  assert.match(named_as(found.findings[0], 900), /where this was found/);
  const unknown = place_of(model, 35); // between Call and Reply, by its number
  assert.deepEqual([unknown.us, unknown.findings.length, unknown.under_way.map(({xid}) => xid)], [undefined, 0, ['0x00000001']]);
  assert.equal(place_of(made(), 5).rpc, null);
});

test('bytes that a Reply claims and nobody wrote are not counted as moved', () => {
  const segment = (returned, moved) => ({handle: '0x1', offset: '0x0', length: 4096, moved, ops: 1, frames: [], returned});
  const writes = [[segment(4096, 4096), segment(1904, 0), segment(100, 97)]];
  const model = made(rpc(1, 0, {writes, results_length: 6128}), rpc(2, 10, {writes, complete: false}));
  assert.deepEqual(model.rpcs.map(({unwritten}) => unwritten), [1904, 0]);
  const rates = throughput(made(rpc(1, 0, {writes, results_length: 6128})), 1, 0, 1000, 1);
  assert.equal(Math.round((rates.to_client[0] * 1000) / 1e6), 6128 - 1904);
});

test('a rule’s page is headings, paragraphs and scenarios, its expectations in words', () => {
  const page = 'What `it` means,\nin two lines.\n\n## Broken\nThis:\n```packets v1 strict\nclient> connect\nserver> reply  #! MEM-09 warning likely "3 more" #! HDR-01\n```\n## Kept\n```packets\nclient> connect\n';
  assert.deepEqual(blocks_of(page), [
    {text: 'What `it` means, in two lines.'}, {heading: 'Traffic that breaks it'}, {text: 'This:'},
    {scenario: [{code: 'client> connect', expects: []}, {code: 'server> reply', expects: ['Here MEM-09 is found (a warning, likely): “… 3 more …”', 'Here HDR-01 is found']}], settings: 'RPC-over-RDMA version one, profile strict'},
    {heading: 'Traffic that keeps it'}, {scenario: [{code: 'client> connect', expects: []}, {code: '', expects: []}], settings: ''}]);
});

test('sentences spell units as the page does, and files are named without their folders', () => {
  assert.equal(sentence('494 us in frame 7, status us'), '494 µs in frame 7, status us');
  assert.deepEqual([file_name('/a/b/c.pcap'), file_name('c.pcap'), file_name('C:\\x\\y.pcap'), file_name('-'), file_name('')], ['c.pcap', 'c.pcap', 'y.pcap', '-', '']);
});

test('what is in force on a connection, and what has set it', () => {
  assert.deepEqual(limits_of({
    inline_thresholds: {client: {bytes: 4096, by: 'XCHAR_RBSIZ', frame: 18}, server: {bytes: 8192, by: 'private_data'}},
    remote_invalidation: {client: {accepted: true, by: 'XCHAR_REQREMINV', frame: 4, certain: false}, server: {accepted: false, by: 'default'}},
  }), ['at most 4 KiB a Send to the server (XCHAR_RBSIZ, frame 18)', 'at most 8 KiB a Send to the client (private data)',
    'the client takes Send With Invalidate (XCHAR_REQREMINV, frame 4; may have changed since)']);
  assert.deepEqual(limits_of({inline_thresholds: {b: {bytes: 1024, by: 'default'}}}), ['at most 1 KiB a Send to a (default)']);
  assert.deepEqual(limits_of(undefined), []);
});

function sequence(...tracks) {
  return {type: 'sequence', conn: 1, from: '10.0.0.1', to: '10.0.0.2', first: 2 ** 24 - 2, begin: at(100), tracks};
}

test('sequence numbers are points since the first frame; kinds that are not known are left out', () => {
  const model = made(sequence({what: 'lost', all: 1, us: [50], at: [3], packets: [2]}, {what: 'sent', all: 9, us: [0, 10, 20], at: [0, 1]}, {what: '__proto__', all: 1, us: [1], at: [1]}));
  const [one] = model.sequences.get(1);
  assert.deepEqual(one.tracks.map(({what, us, at: places, packets, all}) => [what, us, places, packets, all]), [['sent', [100, 110], [0, 1], [], 9], ['lost', [150], [3], [2], 1]]);
  assert.equal(sequence_words(one), '1 loss');
  assert.equal(sequence_words(sequence_of(sequence({what: 'sent', all: 1, us: [0], at: [0]}), 0)), 'nothing lost or sent again');
});

test('the scale of sequence numbers is of what is in the window, or lies around it', () => {
  const one = sequence_of(sequence({what: 'sent', all: 4, us: [0, 10, 20, 30], at: [0, 100, 200, 300]}, {what: 'lost', all: 1, us: [12], at: [110], packets: [41]}), 0);
  assert.deepEqual(bounds_of(one, 5, 25), [94, 206]);
  assert.deepEqual(bounds_of(one, 11, 15), [107.6, 152.4]);
  assert.deepEqual(bounds_of(one, 22, 25), [194, 306]);
  assert.deepEqual(bounds_of({tracks: []}, 0, 1), [0, 1]);
});

test('a PSN is the one in the packets where one is known, and wraps; else it is counted from the lowest', () => {
  assert.equal(number_text({first: 2 ** 24 - 2}, 1, false), '16777215');
  assert.equal(number_text({first: 2 ** 24 - 2}, 2, false), '0');
  assert.equal(number_text({}, 1234, false), '1234');
  assert.equal(number_text({first: 7}, 1234, true), '1234');
  assert.equal(number_text({first: 7}, 0.5, false), '');
  assert.equal(number_text({first: 7}, -1, false), '');
});

test('losses are in order of time', () => {
  const model = made({type: 'loss', conn: 1, time: at(300), first: 2}, {type: 'loss', conn: 1, time: at(200), first: 1});
  assert.deepEqual(model.losses.get(1).map(({us, record}) => [us, record.first]), [[200, 1], [300, 2]]);
});
