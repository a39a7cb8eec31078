"""Files of a project: read without following a link, replaced as a whole or not at all."""
import os
import stat

from refusals import Refusal, usage

MAX_BYTES = 1024 * 1024


def refuse_odd(path, what):
    """Refuses a link, what is no file or folder, and what others may write. Missing is None."""
    try:
        info = os.lstat(path)
    except FileNotFoundError:
        return None
    except OSError:
        raise usage(f"{what} cannot be looked at")
    kind = stat.S_ISDIR if what.endswith("folder") else stat.S_ISREG
    if stat.S_ISLNK(info.st_mode) or not kind(info.st_mode):
        raise usage(f"{what} is a link or no {'folder' if what.endswith('folder') else 'regular file'}")
    if info.st_mode & 0o022:
        raise usage(f"{what} can be written by others: chmod go-w")
    return info


def read_bytes(path, what):
    """The bytes of a regular file, or None where there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError:
        raise usage(f"{what} cannot be read")
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise usage(f"{what} is no regular file")
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise usage(f"{what} is larger than 1 MiB")
    return data


def replace(path, data, mode=0o644):
    """Writes beside the file and renames: the old file stays whole until the new one is on disk."""
    temporary = f"{path}.{os.getpid()}.part"
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(fd, "wb") as file:
                file.write(data)
                file.flush()
                os.fchmod(fd, mode)
                os.fsync(fd)
            os.rename(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError:
        raise Refusal("E_INTERNAL", f"{os.path.basename(path)} could not be written")


def inside(root, relative):
    """The path, when no step of it is a link; else None."""
    path = root
    for step in relative.split("/"):
        path = os.path.join(path, step)
        if os.path.islink(path):
            return None
    return path
