"""`/health` and `/ready`: for who watches the process, and for who decides where requests go."""

from typing import Any

from litestar import Request, Response, get
from litestar.status_codes import HTTP_200_OK, HTTP_503_SERVICE_UNAVAILABLE


@get("/health", include_in_schema=False)
async def get_health() -> Response[dict[str, str]]:
    """Answer as long as the process does: one that doesn't is to be replaced."""
    return Response({"status": "ok"})


@get("/ready", include_in_schema=False)
async def get_readiness(request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
    """Tell whether requests can be served now: 503 while the database, a key or its schema is not as calls need it."""
    findings = await request.app.state.service.readiness.findings()
    if all(each == "ok" for each in findings.values()):
        return Response({"status": "ready", "checks": findings}, status_code=HTTP_200_OK)
    return Response(
        {"status": "not ready", "checks": findings},
        status_code=HTTP_503_SERVICE_UNAVAILABLE,
        headers={"Retry-After": "2"},
    )


HEALTH_ROUTES = [get_health, get_readiness]
