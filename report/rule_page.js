// A rule's page, which is Markdown with scenarios: what it means, traffic that breaks the rule and traffic that keeps
// it. What a scenario's tests expect ("#! MEM-09 warning") is said in words. Pure.
import {known} from './units.js';

const SETTINGS = {v1: 'RPC-over-RDMA version one', v2: 'version two', roce: 'RoCE alone', iwarp: 'iWARP alone', strict: 'profile strict', rfc5666: 'by RFC 5666',
  checksums: 'with --checksums', skewed: 'clocks differ', whole: 'nothing missing'};

// [{heading} | {text} | {scenario: [{code, expects: [..]}], settings}], in order.
export function blocks_of(page) {
  const blocks = [];
  let text = [];
  let scenario = null;
  const flush = () => {
    if (text.length > 0) {
      blocks.push({text: text.join(' ')});
      text = [];
    }
  };
  for (const line of String(page).split('\n')) {
    if (scenario) {
      if (line.startsWith('```')) {
        blocks.push(scenario);
        scenario = null;
      } else {
        scenario.scenario.push(line_of(line));
      }
    } else if (line.startsWith('```')) {
      flush();
      const words = line.slice(3).trim().split(/\s+/).slice(1);
      scenario = {scenario: [], settings: words.map((word) => known(SETTINGS, word) ?? word).join(', ')};
    } else if (line.startsWith('#')) {
      flush();
      const heading = line.replace(/^#+\s*/, '');
      blocks.push({heading: known(HEADINGS, heading) ?? heading});
    } else if (line.trim() === '') {
      flush();
    } else {
      text.push(line.trim());
    }
  }
  flush();
  if (scenario) {
    blocks.push(scenario);
  }
  return blocks;
}

const HEADINGS = {Broken: 'Traffic that breaks it', Kept: 'Traffic that keeps it'};
const SEVERITY = {error: 'an error', warning: 'a warning', note: 'a note'};
const CERTAINTY = {definite: 'certain', likely: 'likely', possible: 'only possible'};

// "server> reply   #! MEM-09 warning "3 more bytes"": the code, and what is expected at its frames, in words.
function line_of(line) {
  const [code, ...expectations] = line.split('#!');
  return {code: code.trimEnd(), expects: expectations.map((one) => expected(one.trim()))};
}

function expected(text) {
  const quoted = /"(.*)"/.exec(text);
  const words = (quoted ? text.slice(0, quoted.index) : text).trim().split(/\s+/);
  const traits = words.slice(1).map((word) => known(SEVERITY, word) ?? known(CERTAINTY, word)).filter(Boolean);
  return `Here ${words[0]} is found${traits.length > 0 ? ` (${traits.join(', ')})` : ''}${quoted ? `: “… ${quoted[1]} …”` : ''}`;
}
