"""The browser that the report tests use is there and runs scripts."""


def test_a_page_runs_its_script(page):
    page.set_content("<p id=x>0</p><script>document.getElementById('x').textContent = 6 * 7</script>")
    assert page.text_content("#x") == "42"
