// Groups whose members may become root, or may look at the human's screen and keyboard. Read by read-clients.
// A safety net: what a machine's own configuration grants beyond them is the administrator's to know.

/** Membership is root by another name: by sudo, by a daemon that runs as root, by the raw disk or the password file. */
export const ROOT_GROUPS = [
  'root',
  'sudo',
  'wheel',
  'admin',
  'docker',
  'podman',
  'lxd',
  'lxc',
  'incus',
  'incus-admin',
  'libvirt',
  'libvirtd',
  'disk',
  'shadow',
  'kmem',
] as const;

/** Text consoles (/dev/vcs*, other terminals), frame buffers and keyboards of the whole machine. */
export const DEVICE_GROUPS = ['tty', 'video', 'input'] as const;
