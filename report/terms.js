// Terms: words of the protocols, explained where they stand, and in a list at the end of the page.
import {el} from './dom.js';

const TERMS = [
  ['RPC-over-RDMA', 'the protocol that carries Remote Procedure Calls, such as those of NFS, over RDMA (RFC 8166)'],
  ['RPC', 'Remote Procedure Call: a Call from one end, and the Reply of the other'],
  ['XID', 'the number that a Call and its Reply share'],
  ['Requester', 'the end that sends Calls: the client, but for callbacks'],
  ['Responder', 'the end that answers Calls: the server, but for callbacks'],
  ['credit limit', 'all Calls that the grant permits are outstanding: the next one waits at the client'],
  ['credits', 'permissions to send a Call: with each Reply the server grants so many Calls that may be outstanding'],
  ['Read chunk', 'a part of a Call that the Responder fetches from the Requester’s memory by RDMA Read: what WRITE writes'],
  ['Write chunk', 'memory of the Requester into which the Responder puts one result by RDMA Write: what READ returns'],
  ['Reply chunk', 'memory of the Requester for all of a Reply that may not fit into a Send'],
  ['segment', 'a piece of a chunk: handle, length and offset'],
  ['handle', 'the number that names registered memory and permits access to it; also steering tag, STag, R_Key'],
  ['RDMA Read', 'an end’s adapter fetches from the memory of the other end'],
  ['RDMA Write', 'an end’s adapter puts into the memory of the other end'],
  ['Send With Invalidate', 'a Send that also ends the access that one handle permits'],
  ['RNR NAK', 'receiver not ready: there was no buffer for what came; the sender tries again later'],
  ['NAK', 'a negative acknowledgment: packets before this one are missing, or it was refused'],
  ['PSN', 'the sequence number of a packet'],
  ['CNP', 'congestion notification packet: the receiver asks the sender to slow down'],
  ['ECN', 'explicit congestion notification: a switch marks packets when its buffers fill'],
  ['tap', 'where the capture was made: times and losses are seen from there'],
];
const MEANINGS = new Map(TERMS);
const WORDS = new RegExp(`\\b(?:${[...MEANINGS.keys()].sort((a, b) => b.length - a.length).join('|')})(?=s?\\b)`, 'g');

// A text with each term of it explained where it comes first: text and elements.
export function explained(text) {
  const parts = [];
  const seen = new Set();
  let at = 0;
  for (const {0: word, index} of String(text).matchAll(WORDS)) {
    if (!seen.has(word)) {
      seen.add(word);
      parts.push(text.slice(at, index), el('abbr', {title: MEANINGS.get(word)}, word));
      at = index + word.length;
    }
  }
  return [...parts, String(text).slice(at)];
}

// All of them.
export function list_of_terms() {
  return el('details', {class: 'terms'}, el('summary', {}, 'Words of this page'), el('dl', {}, TERMS.map(([word, meaning]) => [el('dt', {}, word), el('dd', {}, meaning)])));
}
