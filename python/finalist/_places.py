# SPDX-License-Identifier: MIT OR Apache-2.0
"""File systems and paths of tables; files and directories that appear only when complete."""

from __future__ import annotations

import contextlib
import ctypes
import os
import posixpath
import shutil
import stat
import sys
import tempfile
import urllib.parse
import uuid
from typing import TYPE_CHECKING, Any, TypeAlias

from pyarrow import fs as arrow_fs  # type: ignore[import-untyped,unused-ignore]

from ._shown import line_of, shown

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: The file that marks an output as complete.
SUCCESS = "_SUCCESS"

#: Schemes that name the same store.
_SAME = {
    "gcs": "gs",
    "s3a": "s3",
    "abfss": "abfs",
    "az": "abfs",
    "viewfs": "hdfs",
    "local": "file",
}
#: A path or URL.
Place: TypeAlias = str | os.PathLike[str]
#: File systems that rename a directory as a whole.
_RENAMING = ("local", "hdfs")


def named(place: Place) -> str:
    """Returns a path or URL as text. Raises TypeError for other values, ValueError for an empty
    one, which would be the current directory."""
    name = os.fsdecode(place)
    if not name:
        raise ValueError("an empty name is no file or directory")
    return name


def check_regular(filesystem: Any, path: str) -> None:
    """Raises ValueError for a pipe, which would be waited for, a device or a directory."""
    kinds = (arrow_fs.FileType.File, arrow_fs.FileType.NotFound)
    if filesystem.get_file_info(path).type not in kinds:
        raise ValueError(f"{shown(path)} is not a regular file")


def filesystem_of(place: Place) -> tuple[Any, str]:
    """Returns the file system of a local path or a URL that pyarrow knows, and the path there."""
    place = named(place)
    if _kind(place)[0] == "file":
        path = _local_path(place)
        check_text(path)
        return arrow_fs.LocalFileSystem(), os.path.realpath(path)
    filesystem, path = arrow_fs.FileSystem.from_uri(place)
    return filesystem, path.rstrip("/")


def check_text(path: str) -> None:
    """Raises ValueError for a local path that pyarrow cannot open."""
    if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
        raise ValueError(f"{shown(path)}: pyarrow opens only names in UTF-8, without NUL")


def local(place: Place) -> str:
    """Returns the path of a file on this machine. Raises ValueError for URLs of other places."""
    name = named(place)
    if _kind(name)[0] != "file":
        raise ValueError(f"{shown(name)} is not on this machine: copy the file")
    return _local_path(name)


def _kind(place: str) -> tuple[str, str]:
    """Returns the type of store, and the server if the URL names one."""
    scheme, separator, _ = place.partition("://")
    scheme = scheme.lower().removeprefix("fsspec+") if separator else "file"
    scheme = _SAME.get(scheme, scheme)
    if scheme == "file":
        return scheme, ""
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(place).query)
    return scheme, query.get("endpoint_override", [""])[0]


def _local_path(place: str) -> str:
    if "://" not in place:
        return place
    _, path = arrow_fs.FileSystem.from_uri("file://" + place.partition("://")[2])
    return str(path)


# Sources and outputs.


def below(folder: str) -> tuple[list[str], list[str]]:
    """Returns the paths of the files and of the directories below a local directory, also through
    links. Names that begin with _ or a dot are left out, as engines do. Raises ValueError for a
    directory that contains itself."""
    files, folders, pending = [], [], [(folder, frozenset([identity(folder)]))]
    while pending:
        place, above = pending.pop()
        with os.scandir(place) as entries:
            found = [entry.path for entry in entries if entry.name[0] not in "._"]
        for path in found:
            if not os.path.isdir(path):
                files += [path] if os.path.isfile(path) else []
                continue
            own = identity(path)
            if own in above:
                raise ValueError(f"{shown(path)} leads back to a directory above it: remove it")
            folders.append(path)
            pending.append((path, above | {own}))
    return files, folders


def identity(path: str) -> tuple[int, int] | None:
    """Returns device and inode of what a local path leads to, None if there is nothing."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def check_apart(sources: Iterable[str], found: Iterable[str], out: str) -> None:
    """Raises ValueError if an output is a source, within one or around one. sources, out: paths or
    URLs as the caller gave them; found: local paths of the files and directories in the sources."""
    for source in sources:
        if _overlap(source, out):
            raise ValueError(
                f"the output {shown(out)} and the source {shown(source)} overlap: choose an output"
                " that is neither within the source nor around it"
            )
    if _kind(out)[0] != "file":
        return
    around = {identity(place) for place in _upwards(os.path.realpath(_local_path(out)), set())}
    around.discard(None)
    # Directories above the sources may be above the output, too.
    seen: set[str] = set()
    for source in sources:
        if _kind(source)[0] == "file":
            real = os.path.realpath(_local_path(source))
            seen.update(_upwards(os.path.dirname(real), set()))
    for path in found:
        # A file may be a link into the output, or be in a directory that is a link or a mount of
        # the output or of a directory around it.
        for place in _upwards(path, seen):
            if os.path.islink(place) and _overlap(place, out):
                raise ValueError(
                    f"in the source, {shown(place)} is a link that leads to the output {shown(out)}"
                )
            if identity(place) in around:
                raise ValueError(
                    f"{shown(place)} in the source is the output {shown(out)}, or contains it"
                )


def _upwards(path: str, seen: set[str]) -> Iterator[str]:
    """Yields a path and its parents, except those seen before."""
    while path not in seen:
        seen.add(path)
        yield path
        path = os.path.dirname(path)


def _overlap(a: str, b: str) -> bool:
    if _kind(a) != _kind(b):
        return False
    if _kind(a)[0] != "file":
        paths = _store_path(a), _store_path(b)
        return any(_contains(x, y) for x, y in (paths, paths[::-1]))
    paths = os.path.realpath(_local_path(a)), os.path.realpath(_local_path(b))
    return any(_contains(x, y) or _is_around(x, y) for x, y in (paths, paths[::-1]))


def _store_path(url: str) -> str:
    """Returns the normalised path of an object or prefix."""
    parts, kind = urllib.parse.urlsplit(url), _kind(url)[0]
    user, _, host = parts.netloc.rpartition("@")
    bucket = {"hdfs": "", "abfs": _container(user.partition(":")[0], host)}.get(kind, host)
    path = urllib.parse.unquote(f"/{bucket}/{parts.path}")
    return "/" + posixpath.normpath(path).lstrip("/")


def _container(user: str, host: str) -> str:
    """Returns Azure's container, empty if the path begins with it. The host can be the container
    or the account's server, the user the account or the container."""
    if ".dfs." in host or ".blob." in host:
        return user
    return "" if "." in host or ":" in host else host


def _contains(outer: str, inner: str) -> bool:
    outer = outer.rstrip("/" + os.sep)
    return inner == outer or inner.startswith((outer + "/", outer + os.sep))


def _is_around(outer: str, inner: str) -> bool:
    """Compares as _contains does, but by device and inode: names differ if a directory is mounted
    twice, or if the file system ignores case."""
    own = identity(outer)
    return own is not None and any(identity(each) == own for each in _upwards(inner, set()))


def prepare(target: Any, folder: str, overwrite: bool) -> str:
    """Checks that an output may be written. Returns the path to write to: the directory itself if
    it is empty, or a new name, which replace renames."""
    info, where = target.get_file_info(folder), shown(folder)
    if info.type == arrow_fs.FileType.File:
        raise FileExistsError(f"{where} is a file; the output is a directory")
    if info.type != arrow_fs.FileType.Directory:
        return folder
    if not target.get_file_info(arrow_fs.FileSelector(folder)):
        return folder
    if not overwrite:
        raise FileExistsError(f"{where} is not empty; overwrite=True replaces what it holds")
    if target.type_name == "local":
        with os.scandir(folder) as entries:
            below = next((entry.path for entry in entries if entry.is_dir()), None)
        if below is not None:  # Perhaps the source, under another name.
            raise FileExistsError(
                f"{where} is no output, which has no directories: remove {shown(below)} first"
            )
    if target.type_name == "local" and os.path.ismount(folder):
        raise OSError(f"{where} is a mount point, which cannot be replaced: choose one below it")
    if target.type_name in _RENAMING:
        return f"{posixpath.dirname(folder)}/{_hidden(folder)}"
    return f"{folder}/{_hidden(folder)}"


def _hidden(folder: str, mark: str = "") -> str:
    """Returns an unused name that engines ignore, with the beginning of the directory's name."""
    # A name has at most 255 bytes, and a character up to four.
    return f".{posixpath.basename(folder)[:50]}.{mark}{uuid.uuid4().hex}"


@contextlib.contextmanager
def made(target: Any, folder: str, final: str, keep: type[Exception]) -> Iterator[None]:
    """Makes an output's directory, and keeps other runs from a local output. Unless it is the final
    one, any error except keep removes it and leaves the final directory unchanged. Raises
    FileExistsError if another run writes the output or wrote it meanwhile."""
    is_local = target.type_name == "local"
    if folder == final or not is_local:
        target.create_dir(folder, recursive=True)
    with _alone(final) if is_local else contextlib.nullcontext():
        if folder != final and is_local:
            _make_beside(folder, final)
        elif is_local and os.listdir(final):
            raise FileExistsError(f"another run wrote {shown(final)} meanwhile")
        try:
            yield
        except keep:
            raise
        except BaseException:
            if folder != final:
                with contextlib.suppress(OSError):
                    target.delete_dir(folder)
            raise


def _make_beside(folder: str, final: str) -> None:
    try:
        os.mkdir(folder, 0o700)
    except OSError as error:
        raise OSError(
            f"cannot write beside {shown(final)}, as overwriting it needs: {error.strerror}"
        ) from None
    os.chmod(folder, stat.S_IMODE(os.stat(final).st_mode))


@contextlib.contextmanager
def _alone(folder: str) -> Iterator[None]:
    """Locks a directory if the system can. Raises FileExistsError if another run has locked it."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileExistsError(f"another run writes {shown(folder)}: wait for its end") from None
        except OSError:
            pass  # Some network file systems lock no directories.
        yield
    finally:
        # A forked process may still have the descriptor.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def replace(target: Any, folder: str, final: str) -> None:
    """Replaces an output by a complete new one, and removes the old one."""
    if folder == final:
        return
    if target.type_name not in _RENAMING:
        _replace_objects(target, folder, final)
        return
    old = f"{posixpath.dirname(final)}/{_hidden(final, 'old-')}"
    try:
        if target.type_name == "local" and _exchange(folder, final):
            # A late attempt at a part does not know the new name.
            os.rename(folder, old)
        else:
            target.move(final, old)
            target.move(folder, final)
    except OSError as error:
        raise OSError(
            f"{shown(final)} cannot be replaced: {line_of(error)}; the new output is complete in"
            f" {shown(folder)}"
        ) from None
    if target.type_name == "local":
        sync_folder(posixpath.dirname(final))
        shutil.rmtree(old)
    else:
        target.delete_dir(old)


def _exchange(a: str, b: str) -> bool:
    """Exchanges two names in one step, if the system can."""
    at_cwd, exchange = -100, 2
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    names = os.fsencode(a), os.fsencode(b)
    return rename is not None and rename(at_cwd, names[0], at_cwd, names[1], exchange) == 0


def _replace_objects(target: Any, folder: str, final: str) -> None:
    """Replaces an output in a store without renaming. folder keeps the new output until final has
    all of it; meanwhile final has no _SUCCESS, since it mixes both outputs."""
    old = target.get_file_info(arrow_fs.FileSelector(final, recursive=True))
    old = [info for info in old if not _contains(folder, info.path)]
    new = target.get_file_info(arrow_fs.FileSelector(folder, recursive=True))
    files = [info.path for info in new if info.type == arrow_fs.FileType.File]
    names = sorted((path[len(folder) + 1 :] for path in files), key=lambda name: name == SUCCESS)
    mark = f"{final}/{SUCCESS}"
    if any(info.path == mark for info in old):
        target.delete_file(mark)
    for name in names[:-1]:
        target.copy_file(f"{folder}/{name}", f"{final}/{name}")
    kept = {f"{final}/{name}" for name in names}
    for info in old:
        if info.type == arrow_fs.FileType.File and info.path not in kept:
            target.delete_file(info.path)
    target.copy_file(f"{folder}/{names[-1]}", f"{final}/{names[-1]}")
    target.delete_dir(folder)


# Files.


@contextlib.contextmanager
def written(target: Any, path: str) -> Iterator[Any]:
    """Opens a file to write. It gets its name only if nothing fails, and a local file only once it
    is on disk."""
    folder, name = posixpath.split(path)
    if target.type_name == "local":
        with written_locally(folder, name) as file:
            yield file
        return
    temporary = f"{folder}/.{name}.{uuid.uuid4().hex}"
    try:
        with target.open_output_stream(temporary) as stream:
            yield stream
    except BaseException:
        with contextlib.suppress(OSError):
            target.delete_file(temporary)
        raise
    target.move(temporary, path)


@contextlib.contextmanager
def written_locally(folder: str, name: str) -> Iterator[Any]:
    """Opens a file to write as written does, in a local directory. Other users cannot read the file
    before it is complete."""
    # A name has at most 255 bytes, and a character up to four.
    descriptor, temporary = tempfile.mkstemp(prefix=f".{name[:50]}.", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            # Not 0: files that other threads make meanwhile would be writable by everyone.
            umask = os.umask(0o077)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)
            os.fsync(file.fileno())
        os.replace(temporary, os.path.join(folder, name))
    except BaseException as error:
        with contextlib.suppress(FileNotFoundError):
            os.remove(temporary)
        if isinstance(error, OSError) and error.errno and error.filename is None:
            raise OSError(error.errno, error.strerror, os.path.join(folder, name)) from None
        raise
    sync_folder(folder)


def sync_folder(folder: str) -> None:
    """Flushes a directory's names to disk, if the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def check_not_delta(filesystem: Any, path: str, place: str) -> None:
    """Raises ValueError for a Delta table, whose folder also has files of older versions."""
    if filesystem.get_file_info(f"{path}/_delta_log").type != arrow_fs.FileType.NotFound:
        text = "is a Delta table, whose folder has files of older versions, too: pass"
        raise ValueError(f"{shown(place)} {text} DeltaTable(...).to_pyarrow_dataset()")
