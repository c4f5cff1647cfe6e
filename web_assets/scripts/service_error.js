/** What every rejected promise of the SDK is rejected with. */
export class ServiceError extends Error {
  constructor({ message, code, status = null, error_details = [], request_id = "" }) {
    super(message);
    this.name = "ServiceError";
    this.code = code;
    this.status = status;
    this.error_details = error_details;
    this.request_id = request_id;
  }
}
