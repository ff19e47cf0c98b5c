package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// hostileName is the name of a target that would reverse what follows, and hostilePart the part of
// the report with a table that has it.
const (
	hostileName = "a\u202eb\x07\u2066c"
	hostilePart = "part-8"
)

// report is the page of a report of three runs, a sweep, and runs and a table with hostile names,
// which no test changes.
type report struct {
	path   string
	solved string // what tightness has printed in JSON, the first of the runs
}

// makeReport makes the report of all tests.
func makeReport() (*report, error) {
	dir := filepath.Join(sharedFolder(), "report")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "grid.toml"),
		[]byte("[grid]\ntoy = [\"easy\", \"hard\"]\nT = [3, 6]\n"), 0o644); err != nil {
		return nil, err
	}
	hostile, err := json.Marshal([]map[string]any{{"toy": hostileName, "J": 1.5}, {"toy": "b", "J": 2}})
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{
		"evil\u202egpj.csv": "0,1\n2,3\n", "table\u202e.json": string(hostile)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	r := &report{path: filepath.Join(dir, "report.html")}
	for i, line := range []string{
		"tightness --toy easy,barrier,hard -T 5,10,30 --format json --figures svg --out runs",
		"gap --toy barrier -T 60 --figures svg --out runs",
		"kernel check metropolis --toy easy -T 5 --figures svg --out runs",
		"sweep run grid.toml --out grid",
		"tightness --toy easy -T 5,10 --plot x=T,y=J+B --figures svg --out more",
		"tightness --toy file:evil\u202egpj.csv -T 5,10 --figures svg --out more",
		"gap --toy easy -T 5 --figures png --out more",
		"report runs grid more table\u202e.json --out report.html",
	} {
		printed, err := outputOf(dir, strings.Fields(line)...)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			r.solved = printed
		}
	}
	return r, nil
}

// openReport opens the report from the disk in a tab if there is no network, and returns what
// tightness has printed of its first run.
func openReport(t *testing.T) (p *tab, solved string) {
	t.Helper()
	p = openTab(t)
	r := longtest.Must(sharedReport())(t)
	p.offline()
	p.open("file://" + filepath.ToSlash(r.path))
	return p, r.solved
}

// rowsOf returns the texts of the cells of a table of the page.
func (p *tab) rowsOf(css string) (rows [][]string) {
	p.t.Helper()
	p.eval(`[...document.querySelectorAll('`+css+
		` tbody tr')].map(r => [...r.cells].map(c => c.textContent))`, &rows)
	return rows
}

// The places of the first table of the first run, and of the table of the sweep.
const (
	firstTable = "#part-1-table-1"
	sweepTable = "#part-4-table-1"
)

// TestReportInBrowser: a report works from the disk without a network: its tables have the numbers
// of the run, sort, filter and pivot, what is saved has all digits, and nothing is asked of any
// other place.
func TestReportInBrowser(t *testing.T) {
	t.Parallel()
	p, solved := openReport(t)
	var want []struct {
		Toy  string
		T    int
		J, B float64
	}
	longtest.NoError(t, json.Unmarshal([]byte(solved), &want))
	var whole []string
	p.eval(`[...document.querySelectorAll('`+firstTable+
		` > .scroll tbody tr')].map(r => r.cells[2].title || r.cells[2].textContent)`, &whole)
	for i, row := range want {
		if J, err := strconv.ParseFloat(whole[i], 64); err != nil || J != row.J {
			t.Errorf("row %d has J = %s, want %v", i, whole[i], row.J)
		}
	}

	sortBy := func(name string) {
		p.eval(`[...document.querySelectorAll('`+firstTable+
			` > .scroll thead button')].find(b => b.textContent.startsWith('`+name+`')).click()`, nil)
	}
	column := func(k int) (list []string) {
		for _, row := range p.rowsOf(firstTable + " > .scroll") {
			list = append(list, row[k])
		}
		return list
	}
	sortBy("J")
	up := column(2)
	number := func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		if x < y {
			return -1
		}
		return 1
	}
	if len(up) != 9 || !slices.IsSortedFunc(up, number) {
		t.Errorf("sorted by J: %v", up)
	}
	sortBy("J")
	slices.Reverse(up)
	if down := column(2); !slices.Equal(down, up) {
		t.Errorf("sorted down by J: %v, want %v", down, up)
	}
	var order string
	p.eval(`document.querySelector('`+firstTable+` th[aria-sort]').ariaSort`, &order)
	if order != "descending" {
		t.Errorf("the order is said to be %q", order)
	}

	filter := firstTable + ` input[type=search]`
	p.run(chromedp.SendKeys(filter, "barrier T>=10", chromedp.ByQuery))
	if toys := column(0); !slices.Equal(toys, []string{"barrier", "barrier"}) {
		t.Errorf("the filter leaves %v", toys)
	}
	if said := p.text(firstTable + " > .status"); said != "2 of 2 that the filter leaves of 9 rows" {
		t.Errorf("%q", said)
	}
	p.eval(`window.saved = []; URL.createObjectURL = b => { saved.push(b.text()); return 'blob:none' }; HTMLAnchorElement.prototype.click = function () {};
		for (const b of document.querySelectorAll('`+firstTable+` > .tools > button')) b.click()`, nil)
	var saved []string
	p.eval(`Promise.all(saved)`, &saved)
	var rows []map[string]any
	if len(saved) != 2 || json.Unmarshal([]byte(saved[1]), &rows) != nil || len(rows) != 2 ||
		rows[0]["J"] != want[4].J && rows[1]["J"] != want[4].J {
		t.Errorf("saved are %q", saved)
	}
	if lines := strings.Split(saved[0], "\n"); len(lines) != 4 || !strings.HasPrefix(lines[0], "toy,T,") {
		t.Errorf("the CSV is %q", saved[0])
	}
	p.quiet()
}

// TestReportPivot: the pivot of a sweep has a cell for each toy and T with the numbers of the
// cells, and follows its controls and the filter.
func TestReportPivot(t *testing.T) {
	t.Parallel()
	p, _ := openReport(t)
	shown := map[string]string{}
	for _, row := range p.rowsOf(sweepTable + " > .scroll") {
		shown[row[0]+" "+row[1]] = row[2]
	}
	pivot := p.rowsOf(sweepTable + " .pivot .scroll")
	if len(pivot) != 2 || len(shown) != 4 {
		t.Fatalf("the pivot is %v of %v", pivot, shown)
	}
	for _, row := range pivot {
		if row[1] != shown[row[0]+" 3"] || row[2] != shown[row[0]+" 6"] {
			t.Errorf("the pivot has %v, and the table %v", row, shown)
		}
	}
	p.eval(`(() => { const [rows, columns, value, how] = document.querySelectorAll('`+sweepTable+
		` .pivot select');
		columns.value = ''; value.value = 'B'; how.value = 'count'; how.dispatchEvent(new Event('change')) })()`,
		nil)
	if pivot := p.rowsOf(sweepTable + " .pivot .scroll"); len(pivot) != 2 || pivot[0][1] != "2" ||
		pivot[1][1] != "2" {
		t.Errorf("counts: %v", pivot)
	}
	p.run(chromedp.SendKeys(sweepTable+" input[type=search]", "toy=hard", chromedp.ByQuery))
	if pivot := p.rowsOf(sweepTable + " .pivot .scroll"); len(pivot) != 1 || pivot[0][0] != "hard" {
		t.Errorf("with a filter: %v", pivot)
	}
	p.quiet()
}

// TestReportForEverybody: a report fits a small phone, and axe-core finds nothing serious in the
// light and in the dark.
func TestReportForEverybody(t *testing.T) {
	t.Parallel()
	p, _ := openReport(t)
	p.accessible()
	p.eval(`document.querySelectorAll('details').forEach(d => { d.open = true })`, nil)
	p.accessible()
	p.dark()
	p.accessible()
	p.narrow()
	p.fits()
	p.accessible()
	p.quiet()
}
