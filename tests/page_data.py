"""What the tests of pages share: the data within a page, and what its canvases show."""

import json
import re

# A chart is drawn when its canvas has many pixels of several colours.
CANVASES = """() => [...document.querySelectorAll('canvas')].map((c) => {
  const copy = Object.assign(document.createElement('canvas'), { width: c.width, height: c.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(c, 0, 0);
  const data = context.getImageData(0, 0, c.width, c.height).data;
  const colours = new Set();
  let inked = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] === 0) continue;
    inked++;
    if (colours.size < 50) colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  }
  return { inked, colours: colours.size, chart: !!c.closest('.uplot'), width: c.width };
})"""


def data_of(path):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text())[1])


def with_data(page, data, path):
    """The same page with other data."""
    begin = page.read_text().index('id="data">') + len('id="data">')
    end = page.read_text().index("</script>", begin)
    path.write_text(page.read_text()[:begin] + json.dumps(data) + page.read_text()[end:])
    return path
