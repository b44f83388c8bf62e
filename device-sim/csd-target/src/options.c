/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csd/csd.h"
#include "uuid.h"

const char *const tgt_opcode_names[TGT_OPCODES] = {
    "open",  "submit",      "fetch",    "close",     "put",       "read-idx", "drop",
    "model", "model-fetch", "init-tsk", "read-proc", "read-filt", "final",    "lease"};
const uint8_t tgt_wire_opcodes[TGT_OPCODES] = {
    CSD_OPCODE_OPEN,        CSD_OPCODE_SUBMIT,   CSD_OPCODE_FETCH,     CSD_OPCODE_CLOSE,
    CSD_OPCODE_PUT,         CSD_OPCODE_READ_IDX, CSD_OPCODE_DROP,      CSD_OPCODE_MODEL,
    CSD_OPCODE_MODEL_FETCH, CSD_OPCODE_INIT_TSK, CSD_OPCODE_READ_PROC, CSD_OPCODE_READ_FILT,
    CSD_OPCODE_FINAL,       CSD_OPCODE_LEASE};

enum { FIRST_VENDOR = 0x80, DIRECTION_BITS = 3 };
#define MAX_CAPACITY (UINT64_C(64) << 40)

enum { DEFAULT_CAPACITY_GIB = 64, BUDGET = 200000 }; /* postings: well below a millisecond */

void tgt_options_defaults(struct tgt_options *o) {
  *o = (struct tgt_options){.capacity_bytes = (uint64_t)DEFAULT_CAPACITY_GIB << 30,
                            .sessions = 1024,
                            .session_bytes = UINT64_C(4) << 30,
                            .resource_bytes = UINT64_C(1) << 30,
                            .idle_session_s = 300,
                            .address = "127.0.0.1",
                            .port = 4420,
                            .io_queues = 16,
                            .queue_depth = 128,
                            .max_connections = 256,
                            .max_controllers = 64,
                            .io_timeout_ms = 30000,
                            .budget = BUDGET,
                            .chap_policy = {.hash = TGT_SHA256, .group = TGT_GROUP_NULL},
                            .log_level = TGT_INFO};
  memcpy(o->opcodes, tgt_wire_opcodes, sizeof o->opcodes);
  char fault[100];
  tgt_options_map(o, fault, sizeof fault);
}

bool tgt_options_map(struct tgt_options *o, char *fault, uint32_t fault_bytes) {
  memset(o->wire_opcode, 0, sizeof o->wire_opcode);
  for (int i = 0; i < TGT_OPCODES; i++) {
    const uint8_t opcode = o->opcodes[i], wire = tgt_wire_opcodes[i];
    if (opcode == 0) {
      continue;
    }
    if (opcode < FIRST_VENDOR || (opcode & DIRECTION_BITS) != (wire & DIRECTION_BITS)) {
      snprintf(fault, fault_bytes,
               "opcode of %s is 0x%02X; it must be 0x80 or more, the two lowest bits as of 0x%02X",
               tgt_opcode_names[i], opcode, wire);
      return false;
    }
    if (o->wire_opcode[opcode] != 0) {
      snprintf(fault, fault_bytes, "opcode 0x%02X stands for two commands", opcode);
      return false;
    }
    o->wire_opcode[opcode] = wire;
  }
  return true;
}

static void help(void) {
  printf(
      "csd-target: an NVMe/TCP target whose namespace answers queries over its posting pages\n"
      "\n"
      "  csd-target --store FILE [options]\n"
      "\n"
      "  --store FILE           backing file, made if it is absent; sparse. May be repeated: each\n"
      "                         store is a subsystem with a writer of its own; --capacity,\n"
      "                         --read-only, --uuid, --subsystem and --serial are of the store\n"
      "                         before them\n"
      "  --capacity SIZE        size of the namespace, such as 64G (default)\n"
      "  --read-only            refuse writes\n"
      "  --listen ADDRESS       numeric IPv4 or IPv6 address (default 127.0.0.1)\n"
      "  --trust-network        listen elsewhere than on the loopback, without TLS and\n"
      "                         authentication: all who reach the address have the store\n"
      "  --port N               TCP port (default 4420); 0: any, printed at the start\n"
      "  --advertise ADDRESS    address in the discovery log, if hosts see another one\n"
      "  --uuid UUID            identity of the namespace (default: random, kept in FILE.id)\n"
      "  --subsystem NQN        name of the I/O subsystem (default: " NVME_UUID_NQN
      "UUID)\n"
      "  --serial TEXT          serial number, up to 20 characters (default: from the UUID)\n"
      "  --allow-host NQN       only hosts that are named may connect; may be repeated\n"
      "  --auth-key-file FILE   hosts must authenticate (DH-HMAC-CHAP); a line for each:\n"
      "                         HOSTNQN SECRET [SECRET-OF-CONTROLLER], as in DHHC-1:01:...:\n"
      "  --auth-hash NAME       weakest to take: sha256 (default), sha384, sha512\n"
      "  --auth-dh-group NAME   smallest to take: null (default), ffdhe2048, ffdhe3072,\n"
      "                         ffdhe4096, ffdhe6144, ffdhe8192\n"
      "  --tls-key-file FILE    TLS 1.3 with pre-shared keys alone; a line for each host:\n"
      "                         HOSTNQN KEY, as in NVMeTLSkey-1:01:...:\n"
      "  --host-share PERCENT   what one host gets at most of connections, controllers,\n"
      "                         sessions, live docs and their memory (default: 7 of 8)\n"
      "  --shared               let one host connect several controllers (multipath)\n"
      "  --queues N             I/O queues of a controller (default 16)\n"
      "  --task-threads N       threads that run windows of tasks, 1 to 64 (default 1)\n"
      "  --task-queue N         windows of all tasks that may wait (default 2 a thread)\n"
      "  --raw-percent N        for tests: of the windows that tasks of mode DYNAMIC offer, so\n"
      "                         many of 100 are refused at random (default 0)\n"
      "  --queue-depth N        entries of an I/O queue, 16 to 1024 (default 128)\n"
      "  --spin MICROSECONDS    that a connection's thread asks for the next command before it\n"
      "                         sleeps, on half of the processors at most (default 0)\n"
      "  --max-connections N    of all hosts together (default 256)\n"
      "  --max-controllers N    (default 64)\n"
      "  --io-timeout SECONDS   for a peer to go on with what it has begun (default 30)\n"
      "  --dram SIZE            memory for posting pages (default 1G, or a quarter of the\n"
      "                         machine's memory if that is less)\n"
      "  --index-cache SIZE     memory for the page index, of which the rest is in STORE.idx\n"
      "                         (default 16M, for 2G of pages)\n"
      "  --live-docs SIZE       memory for live docs (default 1G)\n"
      "  --sessions N           open at once (default 1024)\n"
      "  --session-memory SIZE  memory for sessions (default 4G); the plugin's take 4M each\n"
      "  --programs SIZE        show a memory and a compute namespace, too, for hosts that use\n"
      "                         programs; their memory, of all hosts together\n"
      "  --idle-session SECONDS unused for so long, a host's session makes room for its next one\n"
      "                         when all sessions are open (default 300; 0: never)\n"
      "  --kernels NAME         of the engine: scalar, avx2, avx512, avx512vp2, neon\n"
      "  --timing-model         take the commands of the timing model\n"
      "  --opcode-base N        first vendor opcode, a multiple of 16 from 0x80 on (default 0x80)\n"
      "  --opcode NAME=N        one of open submit fetch close put drop model model-fetch\n"
      "  --metrics PORT         answer GET /metrics of Prometheus on that port of 127.0.0.1;\n"
      "                         0: any, printed at the start. csd-target status PORT asks\n"
      "  --log-level LEVEL      error, warning, info (default) or debug\n"
      "  --help, --version\n");
}

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value) {
  char *end;
  errno = 0;
  if (text[0] < '0' || text[0] > '9') {
    return false;
  }
  const unsigned long long parsed = strtoull(text, &end, 0);
  uint64_t unit = 1;
  switch (*end) {
    case 'K': unit = UINT64_C(1) << 10, end++; break;
    case 'M': unit = UINT64_C(1) << 20, end++; break;
    case 'G': unit = UINT64_C(1) << 30, end++; break;
    case 'T': unit = UINT64_C(1) << 40, end++; break;
    default: break;
  }
  if (errno != 0 || *end != 0 || parsed > UINT64_MAX / unit) {
    return false;
  }
  *value = parsed * unit;
  return *value >= least && *value <= most;
}

/* NAME=N of --opcode. */
static bool set_opcode(struct tgt_options *o, const char *text) {
  const char *equals = strchr(text, '=');
  uint64_t value;
  if (equals == NULL || !number(equals + 1, FIRST_VENDOR, 0xFF, &value)) {
    return false;
  }
  for (int i = 0; i < TGT_OPCODES; i++) {
    const size_t length = strlen(tgt_opcode_names[i]);
    if (length == (size_t)(equals - text) && memcmp(text, tgt_opcode_names[i], length) == 0) {
      o->opcodes[i] = (uint8_t)value;
      return true;
    }
  }
  return false;
}

static bool set_base(struct tgt_options *o, const char *text) {
  uint64_t base;
  if (!number(text, FIRST_VENDOR, 0xE0, &base) || base % 16 != 0) {
    return false;
  }
  for (int i = 0; i < TGT_OPCODES; i++) {
    const uint64_t opcode = base + tgt_wire_opcodes[i] - FIRST_VENDOR;
    o->opcodes[i] = opcode <= UINT8_MAX ? (uint8_t)opcode : 0;
  }
  return true;
}

/* @return where a name is in a list; -1: it is not there */
static int place_of(const char *text, const char *const *names, int count) {
  for (int i = 0; i < count; i++) {
    if (strcmp(text, names[i]) == 0) {
      return i;
    }
  }
  return -1;
}

static bool set_hash(struct tgt_options *o, const char *text) {
  static const char *const names[] = {"sha256", "sha384", "sha512"};
  const int place = place_of(text, names, 3);
  o->chap_policy.hash = (uint8_t)(TGT_SHA256 + place);
  return place >= 0;
}

static bool set_group(struct tgt_options *o, const char *text) {
  static const char *const names[] = {"null",      "ffdhe2048", "ffdhe3072",
                                      "ffdhe4096", "ffdhe6144", "ffdhe8192"};
  const int place = place_of(text, names, 6);
  o->chap_policy.group = (uint8_t)(TGT_GROUP_NULL + place);
  return place >= 0;
}

static bool set_level(struct tgt_options *o, const char *text) {
  static const char *const names[] = {"error", "warning", "info", "debug"};
  const int place = place_of(text, names, 4);
  o->log_level = (enum tgt_level)place;
  return place >= 0;
}

static bool nqn(const char *text) {
  const size_t length = strlen(text);
  return strncmp(text, "nqn.", 4) == 0 && length > 4 && length < NVME_NQN_BYTES;
}

enum {
  STORE = 1,
  CAPACITY,
  READ_ONLY,
  LISTEN,
  TRUST_NETWORK,
  PORT,
  ADVERTISE,
  UUID,
  SUBSYSTEM,
  SERIAL,
  ALLOW_HOST,
  AUTH_KEY_FILE,
  AUTH_HASH,
  AUTH_DH_GROUP,
  TLS_KEY_FILE,
  HOST_SHARE,
  METRICS,
  SHARED,
  QUEUES,
  TASK_THREADS,
  TASK_QUEUE,
  RAW_PERCENT,
  QUEUE_DEPTH,
  SPIN,
  CONNECTIONS,
  CONTROLLERS,
  IO_TIMEOUT,
  DRAM,
  INDEX_CACHE,
  LIVE_DOCS,
  SESSIONS,
  SESSION_MEMORY,
  PROGRAMS,
  IDLE_SESSION,
  KERNELS,
  TIMING_MODEL,
  OPCODE_BASE,
  OPCODE,
  LOG_LEVEL,
  HELP,
  VERSION
};

static const struct option table[] = {{"store", required_argument, NULL, STORE},
                                      {"capacity", required_argument, NULL, CAPACITY},
                                      {"read-only", no_argument, NULL, READ_ONLY},
                                      {"listen", required_argument, NULL, LISTEN},
                                      {"trust-network", no_argument, NULL, TRUST_NETWORK},
                                      {"port", required_argument, NULL, PORT},
                                      {"advertise", required_argument, NULL, ADVERTISE},
                                      {"uuid", required_argument, NULL, UUID},
                                      {"subsystem", required_argument, NULL, SUBSYSTEM},
                                      {"serial", required_argument, NULL, SERIAL},
                                      {"allow-host", required_argument, NULL, ALLOW_HOST},
                                      {"auth-key-file", required_argument, NULL, AUTH_KEY_FILE},
                                      {"auth-hash", required_argument, NULL, AUTH_HASH},
                                      {"auth-dh-group", required_argument, NULL, AUTH_DH_GROUP},
                                      {"tls-key-file", required_argument, NULL, TLS_KEY_FILE},
                                      {"host-share", required_argument, NULL, HOST_SHARE},
                                      {"metrics", required_argument, NULL, METRICS},
                                      {"shared", no_argument, NULL, SHARED},
                                      {"queues", required_argument, NULL, QUEUES},
                                      {"task-threads", required_argument, NULL, TASK_THREADS},
                                      {"task-queue", required_argument, NULL, TASK_QUEUE},
                                      {"raw-percent", required_argument, NULL, RAW_PERCENT},
                                      {"queue-depth", required_argument, NULL, QUEUE_DEPTH},
                                      {"spin", required_argument, NULL, SPIN},
                                      {"max-connections", required_argument, NULL, CONNECTIONS},
                                      {"max-controllers", required_argument, NULL, CONTROLLERS},
                                      {"io-timeout", required_argument, NULL, IO_TIMEOUT},
                                      {"dram", required_argument, NULL, DRAM},
                                      {"index-cache", required_argument, NULL, INDEX_CACHE},
                                      {"live-docs", required_argument, NULL, LIVE_DOCS},
                                      {"sessions", required_argument, NULL, SESSIONS},
                                      {"session-memory", required_argument, NULL, SESSION_MEMORY},
                                      {"programs", required_argument, NULL, PROGRAMS},
                                      {"idle-session", required_argument, NULL, IDLE_SESSION},
                                      {"kernels", required_argument, NULL, KERNELS},
                                      {"timing-model", no_argument, NULL, TIMING_MODEL},
                                      {"opcode-base", required_argument, NULL, OPCODE_BASE},
                                      {"opcode", required_argument, NULL, OPCODE},
                                      {"log-level", required_argument, NULL, LOG_LEVEL},
                                      {"help", no_argument, NULL, HELP},
                                      {"version", no_argument, NULL, VERSION},
                                      {NULL, 0, NULL, 0}};

static bool add_store(struct tgt_options *o, const char *path) {
  if (o->store == NULL) {
    o->store = path; /* with what is said of it already */
    return true;
  }
  if (o->other_count == TGT_MAX_STORES - 1) {
    return false;
  }
  o->others[o->other_count++] = (struct tgt_store_options){
      .path = path, .capacity_bytes = (uint64_t)DEFAULT_CAPACITY_GIB << 30};
  return true;
}

/* Takes in an option of a store, for one of those behind the first. @return whether it is one */
static bool take_of_store(struct tgt_store_options *store, int option, const char *text) {
  switch (option) {
    case CAPACITY: (void)number(text, CSD_LBA_BYTES, MAX_CAPACITY, &store->capacity_bytes); break;
    case READ_ONLY: store->read_only = true; break;
    case UUID: store->uuid = text; break;
    case SUBSYSTEM: store->subsystem = text; break;
    case SERIAL: store->serial = text; break;
    default: return false;
  }
  return true;
}

struct tgt_options tgt_options_of(const struct tgt_options *options,
                                  const struct tgt_store_options *store) {
  struct tgt_options o = *options;
  o.store = store->path;
  o.capacity_bytes = store->capacity_bytes;
  o.read_only = store->read_only;
  o.uuid = store->uuid;
  o.subsystem = store->subsystem;
  o.serial = store->serial;
  return o;
}

/* Takes in one option. @return whether its value is right */
static bool take(struct tgt_options *o, int option, const char *text) {
  uint64_t n = 0;
  uint8_t uuid[16];
  bool good = true;
  switch (option) {
    case STORE: good = add_store(o, text); break;
    case CAPACITY:
      good = number(text, CSD_LBA_BYTES, MAX_CAPACITY, &n) && n % CSD_LBA_BYTES == 0;
      o->capacity_bytes = n;
      break;
    case READ_ONLY: o->read_only = true; break;
    case LISTEN: o->address = text; break;
    case TRUST_NETWORK: o->trust_network = true; break;
    case PORT: good = number(text, 0, 65535, &n), o->port = (uint16_t)n; break;
    case ADVERTISE: good = strlen(text) < 64, o->advertise = text; break;
    case UUID: good = tgt_uuid_parse(text, uuid), o->uuid = text; break;
    case SUBSYSTEM:
      good = nqn(text) && strcmp(text, NVME_DISCOVERY_NQN) != 0;
      o->subsystem = text;
      break;
    case SERIAL: good = text[0] != 0 && strlen(text) <= 20, o->serial = text; break;
    case ALLOW_HOST:
      good = nqn(text) && o->host_count < TGT_MAX_HOSTS;
      if (good) {
        o->hosts[o->host_count++] = text;
      }
      break;
    case AUTH_KEY_FILE: o->chap_key_file = text; break;
    case AUTH_HASH: good = set_hash(o, text); break;
    case AUTH_DH_GROUP: good = set_group(o, text); break;
    case TLS_KEY_FILE: o->tls_key_file = text; break;
    case HOST_SHARE: good = number(text, 1, 100, &n), o->host_share = (uint32_t)n; break;
    case METRICS:
      good = number(text, 0, 65535, &n);
      o->metrics = true;
      o->metrics_port = (uint16_t)n;
      break;
    case SHARED: o->shared = true; break;
    case QUEUES: good = number(text, 1, 128, &n), o->io_queues = (uint32_t)n; break;
    case RAW_PERCENT: good = number(text, 0, 100, &n), o->raw_percent = (uint32_t)n; break;
    case TASK_THREADS: good = number(text, 1, 64, &n), o->task_threads = (uint32_t)n; break;
    case TASK_QUEUE: good = number(text, 1, 65536, &n), o->task_windows = (uint32_t)n; break;
    case SPIN: good = number(text, 0, 10000, &n), o->spin_us = (uint32_t)n; break;
    case QUEUE_DEPTH: good = number(text, 16, 1024, &n), o->queue_depth = (uint32_t)n; break;
    case CONNECTIONS: good = number(text, 2, 65536, &n), o->max_connections = (uint32_t)n; break;
    case CONTROLLERS: good = number(text, 1, 65000, &n), o->max_controllers = (uint32_t)n; break;
    case IO_TIMEOUT:
      good = number(text, 1, 3600, &n);
      o->io_timeout_ms = (uint32_t)n * 1000;
      break;
    case DRAM: good = number(text, CSD_LBA_BYTES, UINT64_C(1) << 44, &n), o->dram_bytes = n; break;
    case INDEX_CACHE:
      good = number(text, CSD_LBA_BYTES, UINT64_C(1) << 40, &n), o->index_bytes = n;
      break;
    case LIVE_DOCS:
      good = number(text, CSD_LBA_BYTES, UINT64_C(1) << 44, &o->resource_bytes);
      break;
    case SESSION_MEMORY:
      good = number(text, CSD_DEFAULT_GRANT_BYTES, UINT64_C(1) << 44, &o->session_bytes);
      break;
    case PROGRAMS:
      good = number(text, CSD_MAX_GRANT_BYTES, UINT64_C(1) << 44, &o->program_bytes);
      break;
    case SESSIONS: good = number(text, 1, 65535, &n), o->sessions = (uint32_t)n; break;
    case IDLE_SESSION: good = number(text, 0, 86400, &n), o->idle_session_s = (uint32_t)n; break;
    case KERNELS: o->kernels = text; break;
    case TIMING_MODEL: o->timing_model = true; break;
    case OPCODE_BASE: good = set_base(o, text); break;
    case OPCODE: good = set_opcode(o, text); break;
    case LOG_LEVEL: good = set_level(o, text); break;
    default: good = false; break;
  }
  return good;
}

uint64_t tgt_options_share(const struct tgt_options *o, uint64_t all) {
  const uint64_t share = o->host_share == 0 ? all - all / 8 : all * o->host_share / 100;
  return share == 0 ? 1 : share;
}

static int mistake(const char *text) {
  fprintf(stderr, "csd-target: %s; --help lists the options\n", text);
  return 2;
}

/* @return whether all key files that are named are right; else it has been said what is not */
static bool read_keys(struct tgt_options *o) {
  if (!tgt_crypto_available() && (o->chap_key_file != NULL || o->tls_key_file != NULL)) {
    (void)mistake("keys: this build has neither authentication nor TLS, as OpenSSL was not there");
    return false;
  }
  if (o->chap_key_file != NULL &&
      !tgt_keys_read(o->chap_key_file, TGT_CHAP_SECRET, &o->chap_keys)) {
    return false;
  }
  if (o->tls_key_file != NULL && !tgt_keys_read(o->tls_key_file, TGT_TLS_SECRET, &o->tls_keys)) {
    return false;
  }
  if ((o->chap_keys.none || o->tls_keys.none) && o->chap_keys.count + o->tls_keys.count == 0) {
    (void)mistake("keys: the key files that are named have none");
    return false;
  }
  return true;
}

int tgt_options_parse(struct tgt_options *o, int count, char **arguments) {
  char fault[256];
  tgt_options_defaults(o);
  int option, index = 0;
  optind = 1;
  while ((option = getopt_long(count, arguments, "", table, &index)) != -1) {
    if (option == '?') {
      return 2; /* getopt_long has said it */
    }
    if (option == HELP) {
      help();
      return 1;
    }
    if (option == VERSION) {
      printf("csd-target, wire version %u, %s\n", csd_wire_version(),
             tgt_crypto_available() ? "with DH-HMAC-CHAP and TLS 1.3"
                                    : "without authentication and TLS");
      return 1;
    }
    const struct tgt_options before = *o;
    if (!take(o, option, optarg)) {
      snprintf(fault, sizeof fault, "--%s does not take \"%.100s\"", table[index].name, optarg);
      return mistake(fault);
    }
    struct tgt_store_options *last =
        before.other_count > 0 ? &o->others[before.other_count - 1] : NULL;
    if (last != NULL && option != STORE && take_of_store(last, option, optarg)) {
      const struct tgt_store_options kept = *last;
      *o = before; /* the value is right, and that of another store */
      o->others[before.other_count - 1] = kept;
    }
  }
  if (optind < count) {
    snprintf(fault, sizeof fault, "\"%.100s\" is no option", arguments[optind]);
    return mistake(fault);
  }
  if (o->store == NULL) {
    return mistake("--store FILE is missing");
  }
  if (o->other_count > 0 && o->metrics) {
    return mistake("--metrics takes one --store");
  }
  if (o->program_bytes > 0 && o->shared) {
    return mistake("--programs does not go with --shared: range sets are a controller's own");
  }
  if (!tgt_options_map(o, fault, sizeof fault)) {
    return mistake(fault);
  }
  return read_keys(o) ? 0 : 2;
}
