"""What `losses` and `summary` say about a capture, for digits_test: text, records, CSV and the page against each other.

Losses are counted by connection, by who sent, and by where they were lost; what was sent again is also in the loads that
`stats` has. An incident has one sentence, in each place that tells it.
"""
import collections
import csv
import re

from digits import Size, Us

WHERE = {"after_tap": "behind tap", "before_tap": "before tap", "receiver": "refused", "unknown": "?"}
NOTICED = {"NAK": "nak", "RNR NAK": "rnr_nak", "repeated acknowledgment": "duplicate_acks", "repeated Read Request": "read_retry", "timeout": "timeout"}
KINDS = ("not_connected", "connection_lost", "hang", "loss", "congestion", "receiver_not_ready", "credits", "slow_server", "slow_client", "slow_network", "transport_error",
         "session", "nfs_error")
COUNTS = re.compile(r"(\d+) RPCs? on (\d+) connections?")
TOTAL = re.compile(r"^(\d+) errors?, (\d+) warnings?, (\d+) notes?", re.M)


def losses(said, steertag, capture, report):
    records = steertag.records("losses", capture)
    rows = records["loss"]
    of_rows(said, "losses jsonl", rows)
    of_rows(said, "report jsonl", report["loss"])
    of_csv(said, list(csv.DictReader(steertag.run("losses", "--format", "csv", capture).splitlines())), rows)
    of_text(said, steertag.run("losses", capture), rows)
    return records


def of_rows(said, place, rows):
    said.say(place, ("losses",), len(rows))
    for key, count in collections.Counter((row["conn"], row["from"], row["where"]) for row in rows if row["packets"] and row["what"] == "data").items():
        said.say(place, ("losses", *key), count)
    for number, row in enumerate(rows):
        said.say(place, ("loss", number, "delay"), Us(row["delay_us"]) if "delay_us" in row else None)
        for key in ("sent_frame", "noticed_frame", "resent_frame", "first", "packets", "bytes"):
            said.say(place, ("loss", number, key), row.get(key))


def of_csv(said, table, rows):
    said.say("losses csv", ("losses",), len(table))
    for number, (row, record) in enumerate(zip(table, rows)):
        for key in ("sent_frame", "noticed_frame", "resent_frame", "first", "packets", "bytes"):
            said.say("losses csv", ("loss", number, key), int(row[key]) if row[key] and key in record else None)
        said.say("losses csv", ("loss", number, "delay"), Us(int(row["delay_us"])) if row["delay_us"] else None)


def of_text(said, text, rows):
    """The sentences below the table, and how many losses its rows stand for."""
    listed = [line for line in text.splitlines() if re.match(r"#\d+ +-?\d+\.\d+ ", line)]
    said.say("losses text", ("losses",), sum(int(times[1]) if (times := re.search(r", (\d+) times ", line)) else 1 for line in listed))
    again = collections.Counter()
    for conn, sender, words in re.findall(r"^#(\d+) (\S+): (\d+ packets? sent again; .*)\.$", text, re.M):
        conn = int(conn)
        again[conn] += int(words.split(" ", 1)[0])
        sentence(said, conn, sender, words)
        own = [row for row in rows if row["conn"] == conn and row["from"] == sender]
        say = lambda key, value: said.say("losses jsonl", ("lost", conn, sender, key), value)
        data = [row for row in own if row["what"] == "data"]
        for where in WHERE:
            packets, size = (sum(row[key] for row in data if row["where"] == where) for key in ("packets", "bytes"))
            say(where, packets)
            say(f"bytes {where}", Size(size) if packets else None)
        for key in NOTICED.values():
            say(key, sum(row.get("noticed_by") == key for row in own))
        say("acknowledgments", sum(row["what"] == "ack" for row in own))
    for conn, count in again.items():
        said.say("losses text", ("connection", conn, "retransmitted"), count)


def sentence(said, conn, sender, words):
    say = lambda key, value: said.say("losses text", ("lost", conn, sender, key), value)
    for where, pattern in (("after_tap", r"towards \S+: (?:at least )?(\d+)(?: \((\S+) bytes\))?"), ("before_tap", r"in front of it: (\d+)(?: \((\S+) bytes\))?"),
                           ("unknown", r"on either side: (\d+)(?: \((\S+) bytes\))?"), ("receiver", r"which was not ready: (\d+)()")):
        found = re.search(pattern, words)
        say(where, int(found[1]) if found else 0)
        say(f"bytes {where}", found[2] or None if found else None)
    found = re.search(r"acknowledgments lost: (\d+)", words)
    say("acknowledgments", int(found[1]) if found else 0)
    noticed = {name: int(count) for count, name in re.findall(r"(\d+) ([A-Za-z ]+?)s?(?:, |$)", words.partition("noticed by: ")[2])}
    for name, key in NOTICED.items():
        say(key, noticed.get(name, 0))


def page(said, printed, report):
    told = re.compile(r"([\d,]+) loss(?:es)?")
    said.say("page", ("losses",), sum(int(told.fullmatch(table["words"])[1].replace(",", "")) for table in printed["losses"]))
    said.say("report jsonl", ("losses",), len(report["loss"]))
    rows = [row for table in printed["losses"] for row in table["rows"]]
    if len(rows) == len(report["loss"]):  # a table shows the first ten
        said.say("page", ("losses of nothing",), sum(row["lost"] == "nothing" for row in rows))
        said.say("page's places", ("losses of nothing",), sum(row["where"] == "–" for row in rows))
        said.say("report jsonl", ("losses of nothing",), sum(one["packets"] == 0 for one in report["loss"]))
    texts = [one["text"] for one in report["incident"] if one["kind"] != "violation"]
    cards = [item[2].replace("µs", "us") for item in printed["standouts"] if item[0].replace(" ", "_") in KINDS]
    said.say("page", ("incidents of the page",), len(cards))
    said.say("report jsonl", ("incidents of the page",), sum(any(card.startswith(text) for card in cards) for text in texts))


def figures(incident):
    """Without what only an audit knows: which rule was broken, and by whom."""
    return {key: incident.get(key) for key in ("kind", "begin", "end", "conns", "rpcs", "cost_us")}


def summary(said, steertag, capture, stats, report):
    records = steertag.records("summary", capture)
    incidents = records["incident"]
    text = steertag.run("summary", capture)
    told = re.findall(r"^\d+\. .*\n((?:   .*\n)+)", text, re.M)
    found = re.search(r"^Verdict: .*\((\d+) incidents?\)", text, re.M)
    more = re.search(r"^(?:and )?(\d+) more", text, re.M)
    said.say("summary jsonl", ("incidents",), len(incidents))
    said.say("summary text", ("incidents",), int(found[1]) if found else 0)
    said.say("summary jsonl", ("incidents that break no rule",), sum(one["kind"] != "violation" for one in incidents))
    said.say("report jsonl", ("incidents",), len(report["incident"]))
    said.say("report jsonl", ("incidents of summary",), sum(figures(one) in map(figures, incidents) for one in report["incident"]))
    said.say("summary jsonl", ("incidents of summary",), len(incidents))
    said.say("stats jsonl", ("incidents of stats",), len(stats["incident"]))
    said.say("summary jsonl", ("incidents of stats",), sum(figures(one) in map(figures, incidents) for one in stats["incident"]))
    for number, paragraph in enumerate(told if not more else []):
        said.say("summary text", ("incident", number, "sentence"), " ".join(paragraph.split()).removesuffix("."))
        said.say("summary jsonl", ("incident", number, "sentence"), " ".join(incidents[number]["text"].split()).removesuffix(".") if number < len(incidents) else "none")
    if counts := COUNTS.search(" ".join(text.split())):
        said.say("summary text", ("RPCs",), int(counts[1]))
        said.say("summary text", ("connections",), int(counts[2]))
    if severities := TOTAL.search(text):
        for name, count in zip(("error", "warning", "note"), severities.groups()):
            said.say("summary text", (name,), int(count))
    return records
