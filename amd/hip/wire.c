// The connection to Warpline: a local socket, named in the environment, and a window of memory that both have mapped.
#define _GNU_SOURCE
#include "wire.h"

#include "printf.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define SOCKET_VARIABLE "WARPLINE_HIP_SOCKET"
#define WINDOW_BASE 0x600000000000ull
#define WINDOW_BYTES (64ull << 30)

// Codes below zero come before the answer itself.
#define CALL_FUNCTION -1
#define PRINTF -2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int in_function;
static int connection = -1;
static int window = -1;
static int failed;
static pid_t owner;
static struct gpu gpu;

static void say(const char *what) {
  fprintf(stderr, "warpline: %s\n", what);
}

// Nothing can be done without Warpline; it has said why.
static void lost(void) {
  if (getpid() != owner) {
    _exit(1);
  }
  say("the connection to the simulator is lost; the program ends here");
  _exit(1);
}

static void send_all(const void *data, size_t bytes) {
  const char *from = data;
  while (bytes > 0) {
    ssize_t sent = send(connection, from, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      lost();
    }
    from += sent;
    bytes -= sent;
  }
}

static void receive_all(void *data, size_t bytes) {
  char *to = data;
  while (bytes > 0) {
    ssize_t got = recv(connection, to, bytes, 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      lost();
    }
    to += got;
    bytes -= got;
  }
}

static void request(unsigned what, const uint64_t *words, unsigned count, const void *data, size_t bytes) {
  uint64_t head[2] = {what | (uint64_t)count << 32, bytes};
  send_all(head, sizeof head);
  send_all(words, count * sizeof *words);
  if (bytes > 0) {
    send_all(data, bytes);
  }
}

static void receive(struct answer *answer) {
  uint64_t head[2];
  receive_all(head, sizeof head);
  answer->error = (int32_t)head[0];
  answer->words = head[0] >> 32;
  answer->bytes = head[1];
  if (answer->words > MAX_WORDS) {
    say("an answer of the simulator is malformed");
    lost();
  }
  receive_all(answer->word, answer->words * sizeof *answer->word);
  answer->data = NULL;
  if (answer->bytes > 0) {
    answer->data = malloc(answer->bytes);
    if (answer->data == NULL) {
      say("out of memory");
      lost();
    }
    receive_all(answer->data, answer->bytes);
  }
}

static void exchange(unsigned what, const uint64_t *words, unsigned count, const void *data, size_t bytes,
                     struct answer *answer) {
  request(what, words, count, data, bytes);
  for (;;) {
    receive(answer);
    if (answer->error >= 0) {
      return;
    }
    uint64_t result = 0;
    if (answer->error == PRINTF) {
      result = print_of_kernel(answer->word[0] == 2 ? stderr : stdout, answer->data, answer->bytes);
    } else if (answer->error == CALL_FUNCTION) {
      in_function = 1;
      call_host_function(answer->word[0]);
      in_function = 0;
    }
    request(0, &result, 1, NULL, 0);
    free(answer->data);
  }
}

static int open_window(void) {
  window = memfd_create("warpline", MFD_CLOEXEC);
  if (window < 0 || ftruncate(window, WINDOW_BYTES) != 0) {
    return 0;
  }
  void *wanted = (void *)WINDOW_BASE;
  return mmap(wanted, WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, window,
              0) == wanted;
}

static void introduce(void) {
  uint64_t words[] = {getpid(), window, WINDOW_BASE, WINDOW_BYTES};
  struct answer answer;
  char program[256];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  exchange(REQUEST_HELLO, words, 4, program, length < 0 ? 0 : length, &answer);
  memcpy(&gpu, answer.word, 10 * sizeof(uint64_t));
  char *second = answer.data == NULL ? NULL : memchr(answer.data, 0, answer.bytes);
  if (answer.error != 0 || answer.words < 10 || second == NULL) {
    failed = 1;
    return;
  }
  snprintf(gpu.name, sizeof gpu.name, "%s", answer.data);
  snprintf(gpu.architecture, sizeof gpu.architecture, "%s", second + 1);
  free(answer.data);
}

// Runs after the program's own destructors, which may use HIP.
__attribute__((destructor)) static void say_goodbye(void) {
  if (getpid() != owner || connection < 0 || failed || pthread_mutex_trylock(&lock) != 0) {
    return;
  }
  fflush(stdout);
  struct answer answer;
  exchange(REQUEST_BYE, NULL, 0, NULL, 0, &answer);
  fflush(stdout);
  close(connection);
  connection = -1;
  failed = 1;
  pthread_mutex_unlock(&lock);
}

static void connect_first(void) {
  const char *name = getenv(SOCKET_VARIABLE);
  owner = getpid();
  failed = 1;
  if (name == NULL) {
    say("this library is Warpline's; run the program as: warpline hip -- PROGRAM");
    return;
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(name) >= sizeof address.sun_path) {
    say(SOCKET_VARIABLE " names a path that is too long for a socket");
    return;
  }
  strcpy(address.sun_path, name);
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0) {
    fprintf(stderr, "warpline: %s: no simulator answers there (%s)\n", name, strerror(errno));
    return;
  }
  if (!open_window()) {
    fprintf(stderr, "warpline: no memory can be shared at 0x%llx (%s)\n", WINDOW_BASE, strerror(errno));
    close(made);
    return;
  }
  connection = made;
  failed = 0;
  introduce();
}

int ask(enum request what, const uint64_t *words, unsigned count, const void *data, size_t bytes,
        struct answer *answer) {
  answer->words = 0;
  answer->bytes = 0;
  answer->data = NULL;
  if (in_function) {
    say("a function of the host that runs in a stream called HIP, which may not be");
    return answer->error = 800;
  }
  pthread_mutex_lock(&lock);
  if (connection < 0 && !failed) {
    connect_first();
  }
  if (connection >= 0 && getpid() != owner) {
    say("HIP was used before the program forked, and now by the new process, which cannot be");
    failed = 1;
  }
  if (failed) {
    pthread_mutex_unlock(&lock);
    return answer->error = 100;
  }
  exchange(what, words, count, data, bytes, answer);
  pthread_mutex_unlock(&lock);
  return answer->error;
}

int in_window(const void *address) {
  return (uint64_t)address - WINDOW_BASE < WINDOW_BYTES;
}

int window_file(void) {
  return window;
}

uint64_t window_base(void) {
  return WINDOW_BASE;
}

const struct gpu *the_gpu(void) {
  pthread_mutex_lock(&lock);
  if (connection < 0 && !failed) {
    connect_first();
  }
  pthread_mutex_unlock(&lock);
  return failed ? NULL : &gpu;
}
