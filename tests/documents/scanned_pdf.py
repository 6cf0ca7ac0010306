"""PDFs of scanned pages: each page of a PDF is drawn, and its image is all there is."""

import zlib

import pypdfium2 as pdfium
from tests.documents.type3_pdf import plain_file, stream

RESOLUTION = 200


def scan(body: bytes) -> bytes:
    """Return a PDF with an image in place of each page of another."""
    document = pdfium.PdfDocument(body)
    pages = [document[n] for n in range(len(document))]
    kids = b" ".join(b"%d 0 R" % (3 + 3 * n) for n in range(len(pages)))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, len(pages)),
    }
    for n, page in enumerate(pages):
        width, height = page.get_size()
        drawn = page.render(scale=RESOLUTION / 72, grayscale=True)
        rows = bytes(drawn.buffer)
        data = b"".join(
            rows[y * drawn.stride : y * drawn.stride + drawn.width] for y in range(drawn.height)
        )
        first = 3 + 3 * n
        objects[first] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g] /Contents %d 0 R "
            b"/Resources << /XObject << /Im1 %d 0 R >> >> >>"
        ) % (width, height, first + 1, first + 2)
        objects[first + 1] = stream(b"", b"q %g 0 0 %g 0 0 cm /Im1 Do Q" % (width, height))
        objects[first + 2] = stream(
            b"/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray "
            b"/BitsPerComponent 8 /Filter /FlateDecode" % (drawn.width, drawn.height),
            zlib.compress(data),
        )
    document.close()
    return plain_file(objects)
