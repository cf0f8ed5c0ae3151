// A loopback proxy that adds the key, for clients that cannot send one.
//
// It works on bytes: apart from `Authorization`, every header (`Host`, `Origin`, odd spacing and
// casing included) reaches the service exactly as the client wrote it. Bodies need a
// `Content-Length`, which every client here sends.

import net from "node:net";

const END_OF_HEAD = "\r\n\r\n";

// Gives a function that forwards the bytes of successive requests to `service`, each with the key.
function forwarder(service, key) {
  let received = Buffer.alloc(0);
  let bodyBytesLeft = 0;
  return (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const body = received.subarray(0, bodyBytesLeft);
      service.write(body);
      bodyBytesLeft -= body.length;
      received = received.subarray(body.length);
      const end = received.indexOf(END_OF_HEAD);
      if (bodyBytesLeft > 0 || end < 0) return;

      const head = received.toString("latin1", 0, end);
      service.write(`${head}\r\nAuthorization: Bearer ${key}${END_OF_HEAD}`, "latin1");
      bodyBytesLeft = Number(/^content-length:\s*(\d+)/im.exec(head)?.[1] ?? 0);
      received = received.subarray(end + END_OF_HEAD.length);
    }
  };
}

// Resolves to the proxy's base URL and a function that stops it.
export function startProxy(target, key) {
  const { hostname, port } = new URL(target);
  const server = net.createServer((client) => {
    const service = net.connect(Number(port), hostname);
    client.on("data", forwarder(service, key));
    client.on("close", () => service.destroy());
    client.on("error", () => service.destroy());
    service.on("error", () => client.destroy());
    service.pipe(client);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve({ url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() });
    });
  });
}
