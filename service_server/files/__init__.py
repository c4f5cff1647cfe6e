"""Files that users keep for a while: for functions to take, or given by functions."""

from service_server.files.files import FileGone, Files, FileTooLarge, KeptFile, NoRoomForFile, Owner, described

__all__ = ["FileGone", "FileTooLarge", "Files", "KeptFile", "NoRoomForFile", "Owner", "described"]
