// The few kernel facts that Node does not offer: who is at the other end of a socket, one writer to a file,
// which account a name is, and no core dumps of this process. Called only by lockkit/src/native/kernel.ts.
// It takes no decision and keeps no state: every failure is thrown with the errno's name.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <node_api.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define NAME_MAX_BYTES 256
#define LOOKUP_BYTES 65536

static napi_value throw_errno(napi_env env, const char *what, int number) {
  char message[128];
  snprintf(message, sizeof message, "%s: %s", what, strerrorname_np(number) ? strerrorname_np(number) : "?");
  napi_throw_error(env, strerrorname_np(number), message);
  return NULL;
}

static napi_value number_of(napi_env env, double value) {
  napi_value out;
  napi_create_double(env, value, &out);
  return out;
}

static void set(napi_env env, napi_value object, const char *key, napi_value value) {
  napi_set_named_property(env, object, key, value);
}

static int fd_argument(napi_env env, napi_callback_info info, int *fd) {
  size_t count = 1;
  napi_value argument;
  int32_t value;
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  if (count < 1 || napi_get_value_int32(env, argument, &value) != napi_ok || value < 0) {
    napi_throw_type_error(env, "EINVAL", "a descriptor number is needed");
    return 0;
  }
  *fd = value;
  return 1;
}

// Account numbers use all 32 bits, so they are not read as descriptors are.
static int uid_argument(napi_env env, napi_callback_info info, uint32_t *uid) {
  size_t count = 1;
  napi_value argument;
  double value;
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  if (count < 1 || napi_get_value_double(env, argument, &value) != napi_ok || !(value >= 0) ||
      value > UINT32_MAX || value != (double)(uint32_t)value) {
    napi_throw_type_error(env, "EINVAL", "an account number is needed");
    return 0;
  }
  *uid = (uint32_t)value;
  return 1;
}

static int text_argument(napi_env env, napi_callback_info info, char *text) {
  size_t count = 1, length = 0;
  napi_value argument;
  napi_get_cb_info(env, info, &count, &argument, NULL, NULL);
  if (count < 1 || napi_get_value_string_utf8(env, argument, text, NAME_MAX_BYTES, &length) != napi_ok ||
      length == 0 || length >= NAME_MAX_BYTES - 1 || strlen(text) != length) {
    napi_throw_type_error(env, "EINVAL", "a name is needed");
    return 0;
  }
  return 1;
}

static napi_value groups_array(napi_env env, const gid_t *groups, size_t count) {
  napi_value array;
  napi_create_array_with_length(env, count, &array);
  for (size_t i = 0; i < count; i++) napi_set_element(env, array, (uint32_t)i, number_of(env, groups[i]));
  return array;
}

// peer(fd) -> {pid, uid, gid, gids}: credentials of the process that connected, kept by the kernel.
static napi_value peer(napi_env env, napi_callback_info info) {
  int fd;
  if (!fd_argument(env, info, &fd)) return NULL;
  struct ucred who;
  socklen_t size = sizeof who;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return throw_errno(env, "SO_PEERCRED", errno);
  // An unconnected socket answers with uid -1: that is nobody, never somebody.
  if (who.uid == (uid_t)-1) return throw_errno(env, "SO_PEERCRED", ENOTCONN);
  size = 65536 * sizeof(gid_t);
  gid_t *groups = malloc(size);
  if (groups == NULL) return throw_errno(env, "malloc", ENOMEM);
  int failed = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0 ? errno : 0;
  napi_value result = NULL;
  if (failed) {
    throw_errno(env, "SO_PEERGROUPS", failed);
  } else {
    napi_create_object(env, &result);
    set(env, result, "pid", number_of(env, who.pid));
    set(env, result, "uid", number_of(env, who.uid));
    set(env, result, "gid", number_of(env, who.gid));
    set(env, result, "gids", groups_array(env, groups, size / sizeof(gid_t)));
  }
  free(groups);
  return result;
}

// lockFile(fd) -> true when this process now is the one writer; the lock ends with the descriptor.
static napi_value lock_file(napi_env env, napi_callback_info info) {
  int fd;
  if (!fd_argument(env, info, &fd)) return NULL;
  int taken = flock(fd, LOCK_EX | LOCK_NB) == 0;
  if (!taken && errno != EWOULDBLOCK) return throw_errno(env, "flock", errno);
  napi_value result;
  napi_get_boolean(env, taken, &result);
  return result;
}

static napi_value account_object(napi_env env, const struct passwd *account) {
  napi_value result, text;
  napi_create_object(env, &result);
  napi_create_string_utf8(env, account->pw_name, NAPI_AUTO_LENGTH, &text);
  set(env, result, "name", text);
  set(env, result, "uid", number_of(env, account->pw_uid));
  set(env, result, "gid", number_of(env, account->pw_gid));
  napi_create_string_utf8(env, account->pw_dir, NAPI_AUTO_LENGTH, &text);
  set(env, result, "home", text);
  int count = 0;
  getgrouplist(account->pw_name, account->pw_gid, NULL, &count);
  gid_t *groups = calloc((size_t)(count > 0 ? count : 1), sizeof(gid_t));
  if (groups != NULL && getgrouplist(account->pw_name, account->pw_gid, groups, &count) >= 0)
    set(env, result, "gids", groups_array(env, groups, (size_t)count));
  else
    set(env, result, "gids", groups_array(env, &account->pw_gid, 1));
  free(groups);
  return result;
}

static napi_value account_or_null(napi_env env, int failed, const struct passwd *found) {
  napi_value nothing;
  if (found != NULL) return account_object(env, found);
  if (failed && failed != ENOENT) return throw_errno(env, "account", failed);
  napi_get_null(env, &nothing);
  return nothing;
}

// accountByUid(uid), accountByName(name) -> {name, uid, gid, gids, home} or null.
static napi_value account_by_uid(napi_env env, napi_callback_info info) {
  uint32_t uid;
  if (!uid_argument(env, info, &uid)) return NULL;
  static char buffer[LOOKUP_BYTES];
  struct passwd account, *found = NULL;
  int failed = getpwuid_r((uid_t)uid, &account, buffer, sizeof buffer, &found);
  return account_or_null(env, failed, found);
}

static napi_value account_by_name(napi_env env, napi_callback_info info) {
  char name[NAME_MAX_BYTES];
  if (!text_argument(env, info, name)) return NULL;
  static char buffer[LOOKUP_BYTES];
  struct passwd account, *found = NULL;
  int failed = getpwnam_r(name, &account, buffer, sizeof buffer, &found);
  return account_or_null(env, failed, found);
}

// groupByName(name) -> gid or null.
static napi_value group_by_name(napi_env env, napi_callback_info info) {
  char name[NAME_MAX_BYTES];
  if (!text_argument(env, info, name)) return NULL;
  static char buffer[LOOKUP_BYTES];
  struct group group, *found = NULL;
  int failed = getgrnam_r(name, &group, buffer, sizeof buffer, &found);
  if (found != NULL) return number_of(env, found->gr_gid);
  if (failed && failed != ENOENT) return throw_errno(env, "group", failed);
  napi_value nothing;
  napi_get_null(env, &nothing);
  return nothing;
}

// harden(): no core file, no memory in any dump, no ptrace by others of this account. Throws when one fails.
static napi_value harden(napi_env env, napi_callback_info info) {
  (void)info;
  const struct rlimit none = {0, 0};
  if (setrlimit(RLIMIT_CORE, &none) != 0) return throw_errno(env, "RLIMIT_CORE", errno);
  int fd = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
  if (fd >= 0) {
    ssize_t written = write(fd, "0", 1);
    close(fd);
    if (written != 1) return throw_errno(env, "coredump_filter", EIO);
  }
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return throw_errno(env, "PR_SET_DUMPABLE", errno);
  if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0) return throw_errno(env, "PR_GET_DUMPABLE", EPERM);
  napi_value nothing;
  napi_get_undefined(env, &nothing);
  return nothing;
}

NAPI_MODULE_INIT() {
  const struct {
    const char *name;
    napi_callback call;
  } table[] = {{"peer", peer},
               {"lockFile", lock_file},
               {"accountByUid", account_by_uid},
               {"accountByName", account_by_name},
               {"groupByName", group_by_name},
               {"harden", harden}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    napi_value function;
    napi_create_function(env, table[i].name, NAPI_AUTO_LENGTH, table[i].call, NULL, &function);
    set(env, exports, table[i].name, function);
  }
  return exports;
}
