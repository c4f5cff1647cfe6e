"""The files that the fake service keeps."""

from datetime import UTC, datetime
from urllib.parse import quote

from service_client.models import CONVERTER, Code, File
from service_client.plans import HttpRequest, Response
from service_client.testing.refusals import refused

_SOME_DAY = datetime(2030, 1, 1, 1, tzinfo=UTC)


class FakeFiles:
    """Keeps uploads without a time limit; `contents` is by id."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self._files: dict[str, File] = {}

    def handle(self, request: HttpRequest, id: str = "", *_: str) -> Response:
        """Answer a request about a file, or the upload of a new one."""
        match request.method:
            case "GET":
                return self._download(id)
            case "DELETE":
                self._kept(id)
                del self.contents[id]
                return Response(204)
            case _:
                return self._upload(request)

    def _upload(self, request: HttpRequest) -> Response:
        given = request.content
        content = given if isinstance(given, bytes) else b"" if given is None else b"".join(given.chunks())
        kept = File(
            id=f"file_{len(self._files) + 1:022}",
            name=request.query.get("name", "file"),
            size=len(content),
            media_type=request.headers["Content-Type"],
            expires_at=_SOME_DAY,
        )
        self._files[kept.id], self.contents[kept.id] = kept, content
        return Response.of_json(CONVERTER.unstructure(kept), 201)

    def _download(self, id: str) -> Response:
        kept = self._kept(id)
        name = f"attachment; filename*=UTF-8''{quote(kept.name, safe='')}"
        return Response(200, self.contents[id], {"content-type": kept.media_type, "content-disposition": name})

    def _kept(self, id: str) -> File:
        if id not in self.contents:
            raise refused(404, Code.UNKNOWN_FILE, f"There is no file {id!r}.")
        return self._files[id]
