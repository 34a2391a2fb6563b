// A text that is wrong is answered with its line and a sentence that says what
// to do; a garbage text does no harm.
#include <random>

#include "scenario/compiled.h"

namespace steertag::test {

TEST_CASE("scenario errors: line and advice") {
  struct Wrong {
    const char* text;
    uint32_t line;
    const char* advice;
  };
  const Wrong table[] = {
      {"client> cal nfs3 NULL", 1, "is not a verb"},
      {"\n\nalice> call nfs3 NULL", 3, "write client> or server>"},
      {"call nfs3 NULL", 1, "client> call"},
      {"b.client> call nfs3 NULL", 1, "connection b"},
      {"client> call nfs3 FLY", 1, "GETATTR"},
      {"client> call nfs3 NULL colour=green", 1, "takes a number"},
      {"client> call nfs3 NULL colour=7", 1, "rdma_credit"},
      {"client> call nfs3 NULL rpc.colour=7", 1, "rpcvers"},
      {"client> call nfs3 READ write(4096", 1, "add a ')'"},
      {"client> call nfs3 READ write(big)", 1, "[HANDLE:]LENGTH[@OFFSET]"},
      {"client> call nfs3 WRITE read(size=4096)", 1, "\"size\" is not a segment: write read(@NAME"},
      {"client> call nfs3 WRITE read(pos(0) 4096)", 1, "\"pos\" is not a segment: write read(@NAME"},
      {"client> call nfs3 NULL )", 1, "')' without a '('"},
      {"client> call nfs3 NULL loudly", 1, "loudly"},
      {"server> reply", 1, "say xid=N"},
      {"server> error xid=1", 1, "Say which error"},
      {"server> write @data", 1, "name it there"},
      {"server> write 0x8f01", 1, "say how many bytes"},
      {"server> write", 1, "name a chunk or a handle"},
      {"client> call nfs3 READ write(@d 4096)\nserver> write @d.2", 2, "has 1 segments"},
      {"client> call nfs3 NULL lost(0)", 1, "from 1"},
      {"client> call nfs3 NULL roce(9 psn=1)", 1, "in packet 9"},
      {"client> call nfs3 NULL nak=maybe", 1, "sequence, invalid"},
      {"client> call nfs3 NULL set(4000 00)", 1, "reaches beyond"},
      {"client> connect mtu=1500", 1, "256, 512, 1024"},
      {"client> connect send=1000", 1, "multiple of 1024"},
      {"client> connect client=there", 1, "IPv4 address"},
      {"repeat 3\nclient> call nfs3 NULL", 1, "add a line \"end\""},
      {"end", 1, "closes nothing"},
      {"repeat lots\nend", 1, "should be a number"},
      {"client> burst\nclient> connect\nend", 2, "messages, reads and writes only"},
      {"wait long", 1, "500us"},
      {"version 3", 1, "from 1 to 2"},
      {"fabric ethernet", 1, "roce2, roce1 or iwarp"},
      {"connection", 1, "needs a name"},
      {"client> updxch", 1, "one new value"},
      {"client> initxch RBSIZ=large", 1, "hex:DIGITS"},
      {"server> respxch pend(0)", 1, "no REQXCH"},
      {"client> call nfs3 READ write(0xffffffff)\nserver> write", 2, "makes more than"},
      {"repeat 20000\nclient> call nfs3 NULL\nserver> reply\nend", 2, "more than 20000 lines"},
      {"client>", 1, "Say what client does"},
  };
  for (const Wrong& wrong : table) {
    INFO(wrong.text);
    const scenario::Error error = refused(wrong.text);
    CHECK(error.line == wrong.line);
    CHECK_THAT(error.message, Catch::Matchers::Contains(wrong.advice));
    CHECK((error.message.back() == '.' || error.message.back() == '"'));
  }
}

TEST_CASE("scenario errors: what could grow without bound is refused") {
  CHECK_THAT(refused("client> call nfs3 WRITE data=4000000000").message,
             Catch::Matchers::Contains("at most"));
  CHECK_THAT(refused("client> call nfs3 NULL cut=4000000000").message, Catch::Matchers::Contains("at most"));
  CHECK_THAT(refused("client> call nfs3 READ size=4000000000").message, Catch::Matchers::Contains("at most"));
  CHECK_THAT(refused("repeat 1000\nserver> write 1:16000000@0\nend").message,
             Catch::Matchers::Contains("MiB"));
  CHECK_THAT(refused("repeat 20000\nrepeat 20000\nend\nend").message,
             Catch::Matchers::Contains("20000 times"));
  const std::string old = "client> call nfs3 READ write(@old 64)\nrepeat 4096\nclient> call nfs3 NULL\nend\n";
  CHECK_THAT(refused(old + "server> write @old\n").message,
             Catch::Matchers::Contains("No Call"));  // forgotten
  std::string deep;
  for (int i = 0; i < 100; ++i) {
    deep += "repeat 2\n";
  }
  for (int i = 0; i < 100; ++i) {
    deep += "end\n";
  }
  CHECK_THAT(refused(deep).message, Catch::Matchers::Contains("nested too deep"));
  CHECK_THAT(refused("client> call " + std::string(100000, '(')).message, Catch::Matchers::Contains("'('"));
  // Packets of a byte each, which are not even captured.
  CHECK_THAT(
      refused("fabric iwarp\ncapture off\nclient> connect segment=1\nclient> call nfs3 WRITE data=2000000\n")
          .message,
      Catch::Matchers::Contains("more than 512 MiB"));
}

TEST_CASE("scenario errors: bounds: words of a scenario, and of a line") {
  const auto call = [](size_t words) {
    std::string text = "snaplen 16\nclient> call nfs3 READ write(@d";  // seven words
    for (size_t i = 7; i < words; ++i) {
      text += " 1";
    }
    return text + ")\n";
  };
  CHECK_FALSE(compiled(call(scenario::kMaxWords)).frames.empty());
  CHECK_THAT(refused(call(scenario::kMaxWords + 1)).message,
             Catch::Matchers::Contains("more than 500000 words"));
  const auto line = [](size_t words) {
    std::string text = "client> call nfs3 NULL";
    for (size_t i = 3; i < words; ++i) {
      text += " set(0 00)";
    }
    return text + "\n";
  };
  CHECK_FALSE(compiled(line(scenario::kMaxLineWords)).frames.empty());
  CHECK_THAT(refused(line(scenario::kMaxLineWords + 1)).message,
             Catch::Matchers::Contains("more than 1000 words"));
}

TEST_CASE("scenario errors: bounds: text that repeats") {
  // In 4,096 lines of 1 KiB, and two outside, which do not count.
  const auto repeated = [](size_t beyond) {
    const auto line = [](size_t size) {
      std::string text = "client> send 00 #";
      return text.append(size - text.size(), '.') + "\nend\n";
    };
    return "snaplen 16\nclient> connect\nrepeat 4095\n" + line(1024) + "repeat 1\n" + line(1024 + beyond);
  };
  CHECK_FALSE(compiled(repeated(0)).frames.empty());
  CHECK_THAT(refused(repeated(1)).message, Catch::Matchers::Contains("more than 4 MiB of text"));
}

TEST_CASE("scenario errors: bounds: what is searched counts like what is made") {
  std::string text = "snaplen 16\nclient> connect\n";
  for (int call = 0; call < 400; ++call) {
    text += "client> call nfs3 READ write(@d";
    for (int segment = 0; segment < 100; ++segment) {
      text += " 1";
    }
    text += ")\n";
  }
  const auto searched = [&](int lines) {  // 160,000 each
    return text + "repeat " + std::to_string(lines) + "\nserver> write 1:1@0\nend\n";
  };
  CHECK_FALSE(compiled(searched(3000)).frames.empty());
  CHECK_THAT(refused(searched(3500)).message, Catch::Matchers::Contains("more than 512 MiB"));
}

TEST_CASE("scenario errors: bounds: tunnels inside each other") {
  const auto within = [](size_t tunnels) {
    std::string text = "tunnel";
    for (size_t i = 0; i < tunnels; ++i) {
      text += " vxlan";
    }
    return text + "\nclient> call nfs3 NULL\n";
  };
  CHECK_FALSE(compiled(within(scenario::kMaxTunnels)).frames.empty());
  CHECK_THAT(refused(within(scenario::kMaxTunnels + 1)).message,
             Catch::Matchers::Contains("at most 16 tunnels"));
}

TEST_CASE("scenario errors: a Call may carry 16 MiB of data, and no byte more") {
  const auto call = [](size_t data) {
    return "snaplen 16\nclient> call nfs3 WRITE data=" + std::to_string(data) + "\n";
  };
  CHECK_FALSE(compiled(call(16 << 20)).frames.empty());
  CHECK_THAT(refused(call((16 << 20) + 1)).message, Catch::Matchers::Contains("at most 16777216 bytes"));
}

// Segments of one byte, of which snaplen leaves one: far fewer bytes are kept than may be.
TEST_CASE("scenario errors: a million frames are enough, however short they are") {
  const std::string text =
      "fabric iwarp\nsnaplen 1\nclient> connect segment=1\nrepeat 20\nserver> write 1:50000@0\nend\n";
  const scenario::Error error = refused(text);
  CHECK(error.line == 5);
  CHECK_THAT(error.message, Catch::Matchers::Contains("more than 1000000 frames"));
}

TEST_CASE("scenario errors: what happens to packets is said of a burst, not of a line in it") {
  const std::string burst =
      "client> connect\nclient> call nfs3 READ write(@d 64)\nserver> burst\nserver> write @d ";
  for (const char* fault : {"omit(1)", "missing(1)", "lost(1)", "resent(1)", "dup(1)", "swap(1)",
                            "bad_checksum(1)", "marked(1)", "delay(1 1ms)", "noack", "again"}) {
    INFO(fault);
    CHECK(refused(burst + fault + "\nend\n").line == 4);
  }
}

TEST_CASE("scenario errors: a delay is of a packet, or of what is sent again, and a time") {
  for (const char* delay : {"delay()", "delay(1)", "delay(50ms)", "delay(0 50ms)", "delay(1 50)",
                            "delay(last 50ms)", "delay(1 2 50ms)", "delay(4294967296 1ms)", "delay(1 2h)"}) {
    INFO(delay);
    CHECK_THAT(refused("client> connect\nclient> call nfs3 NULL " + std::string(delay)).message,
               Catch::Matchers::Contains("delay(3 50ms)"));
  }
  // As large as can be; that there is no such packet is another matter.
  compiled("client> connect\nclient> call nfs3 NULL delay(4294967295 1ms)");
}

// Lines out of the language's own words, in random order, and mutated files.
TEST_CASE("scenario errors: random text does no harm") {
  const char* const words[] = {
      "client>",   "server>",     "call",       "reply",   "serve",        "read",
      "write",     "connect",     "disconnect", "burst",   "end",          "repeat",
      "3",         "nfs3",        "nfs4",       "READ",    "WRITE",        "READDIR",
      "write(",    "reply(",      "read(",      ")",       "@d",           "@d.2",
      "4096",      "pos=0",       "0x8f01:64",  "*",       "inv=@d",       "xid=7",
      "v2",        "nomsg",       "msg",        "lost(2)", "dup",          "swap=1",
      "omit(1)",   "missing(2)",  "again",      "nak=rnr", "cut=9",        "append=00",
      "\n",        "\n",          "\n",         "initxch", "reqxch",       "respxch",
      "RBSIZ=1",   "pend(0)",     "error",      "chunk",   "iwarp(msn=9)", "roce(psn=1)",
      "immediate", "segment=200", "markers",    "mss=200", "mtu=256",      "rtr=read",
      "deliver=9", "skip=70",     "credit=0",   "data=9",  "size=3",       "resent(3)",
      "set(0",     "ff",          "auth=krb5i", "denied",  "invalidate",   "fabric",
      "iwarp",     "capture",     "off",        "taps",    "both",         "delay(2 1ms)",
      "pause",     "ack",         "psn=9",      "times=3", "timer=1",      "dscp=26/0",
  };
  std::mt19937 random(7);
  size_t compiled_texts = 0;
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (unsigned i = random() % 40; i > 0; --i) {
      text += words[random() % std::size(words)];
      text += ' ';
    }
    auto result =
        scenario::compile(text, {random() % 2 != 0 ? scenario::Fabric::iwarp : scenario::Fabric::roce2, {}});
    if (const auto* trace = std::get_if<scenario::Trace>(&result)) {
      ++compiled_texts;
      CHECK(trace->frames.size() <= scenario::kMaxFrames);
    }
  }
  CHECK(compiled_texts > 0);
  const std::string base =
      scenario_text("W1") + scenario_text("C1") + scenario_text("X2") + scenario_text("FP19");
  for (int round = 0; round < 2000; ++round) {
    std::string text = base;
    for (int i = 0; i < 4; ++i) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 20);
          break;
        default:
          text.insert(at, words[random() % std::size(words)]);
      }
    }
    scenario::compile(text, {random() % 2 != 0 ? scenario::Fabric::iwarp : scenario::Fabric::roce2, {}});
  }
}

}  // namespace steertag::test
