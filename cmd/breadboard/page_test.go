package main

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	events "github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"breadboard/exact"
	"breadboard/experiments/forms"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// smallBench is a question that is answered in milliseconds.
const smallBench = "toy=cells:0:1:2/3:0:-1/0:-2:4&T=12"

// benchPage is the page of a bench that the command serve serves.
type benchPage struct {
	*tab
	address string // of the page, with a slash at its end
}

// openBench opens the page of the shared bench in a tab, with a question, and waits for the
// numbers.
func openBench(t *testing.T, query string) *benchPage {
	t.Helper()
	p := openTab(t)
	b := &benchPage{p, servedBench(t)}
	b.visit(query)
	return b
}

// visit opens the page with a query, and waits for the numbers.
func (b *benchPage) visit(query string) {
	b.t.Helper()
	b.open(b.address + "?" + query)
	b.wait(`document.documentElement.dataset.ready === "true"`, longtest.Patience)
	b.answered()
}

// answered waits until the numbers are those of the question of the page.
func (b *benchPage) answered() {
	b.t.Helper()
	b.wait(isAnswered("#numbers"), longtest.Patience)
}

// settled waits until what follows the numbers is of the question of the page.
func (b *benchPage) settled(sections ...string) {
	b.t.Helper()
	for _, name := range sections {
		b.wait(isAnswered(fmt.Sprintf("[data-section=%s]", name)), longtest.Patience)
	}
}

// isAnswered is an expression that is true if a part of the page shows the answer to its question.
func isAnswered(css string) string {
	return fmt.Sprintf(`(() => { const part = document.querySelector(%q);
		return part.getAttribute("aria-busy") === "false" && part.dataset.stale === "false" && part.dataset.question === document.documentElement.dataset.question })()`,
		css)
}

// value returns the value of an expression that is a text.
func (b *benchPage) value(format string, args ...any) (text string) {
	b.t.Helper()
	b.eval(fmt.Sprintf("(async () => String("+format+"))()", args...), &text)
	return text
}

// is reports whether an expression is true.
func (b *benchPage) is(format string, args ...any) (yes bool) {
	b.t.Helper()
	b.eval(fmt.Sprintf("Boolean("+format+")", args...), &yes)
	return yes
}

// press presses keys at the element that has the focus.
func (b *benchPage) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.run(chromedp.KeyEvent(key))
	}
}

// fill writes a value into an input, a slider or a list, and tells the page as the browser does.
func (b *benchPage) fill(id, value string) {
	b.t.Helper()
	b.eval(fmt.Sprintf(`(() => { const it = document.getElementById(%q); it.value = %q;
		for (const name of ["input", "change"]) it.dispatchEvent(new Event(name, {bubbles: true})) })()`,
		id, value), nil)
}

// click clicks at the middle of an element with the mouse.
func (b *benchPage) click(css string) {
	b.t.Helper()
	b.run(chromedp.Click(css, chromedp.ByQuery))
}

// enter presses a button by its key. Unlike a click it cannot miss the button while answers come
// that move it.
func (b *benchPage) enter(css string) {
	b.t.Helper()
	b.run(chromedp.Focus(css, chromedp.ByQuery))
	b.press("\r")
}

// middle scrolls to an element and returns its middle on the screen.
func (b *benchPage) middle(css string) (x, y float64) {
	b.t.Helper()
	var at struct{ X, Y float64 }
	b.eval(fmt.Sprintf(
		`(() => { const it = document.querySelector(%q); it.scrollIntoView({block: "center", behavior: "instant"});
		const box = it.getBoundingClientRect(); return {X: box.x + box.width / 2, Y: box.y + box.height / 2} })()`,
		css,
	), &at)
	return at.X, at.Y
}

// mouse sends an event of the mouse with its left button.
func (b *benchPage) mouse(kind events.MouseType, x, y float64) {
	b.t.Helper()
	b.run(events.DispatchMouseEvent(kind, x, y).WithButton(events.Left).WithButtons(1).WithClickCount(1))
}

// question returns the question of the page.
func (b *benchPage) question() url.Values {
	b.t.Helper()
	q, err := url.ParseQuery(b.value(`document.documentElement.dataset.question`))
	if err != nil {
		b.t.Fatal(err)
	}
	return q
}

// caseOf returns the annealing that a question is about.
func caseOf(t *testing.T, q url.Values) *subject.Case {
	t.Helper()
	T := longtest.Must(strconv.Atoi(q.Get("T")))(t)
	selection := subject.Selection{
		Reader:        forms.Reader(),
		Toys:          []string{q.Get("toy")},
		Distributions: []int{T},
		Path:          q.Get("path"),
		Initial:       q.Get("initial"),
		Schedule:      q.Get("schedule"),
		Kernel:        q.Get("kernel"),
	}
	cases := longtest.Must(selection.Cases(t.Context()))(t)
	return &cases[0]
}

// solved checks that the numbers of the page are those of the library, in full and as they are
// printed, and returns them.
func (b *benchPage) solved() *exact.Solution {
	b.t.Helper()
	b.answered()
	s, err := exact.Solve(b.t.Context(), caseOf(b.t, b.question()).Annealing(), exact.Options{})
	if err != nil {
		b.t.Fatal(err)
	}
	for field, want := range map[string]float64{
		"J": s.J, "B": s.B, "B_over_J": s.B / s.J, "kl_q_p": s.KLQP, "kl_p_q": s.KLPQ,
		"mean_log_w_forward": s.MeanLogWForward,
		"mean_log_w_reverse": s.MeanLogWReverse, "log_z_ratio": s.LogZRatio,
	} {
		b.shows("#numbers [data-field="+field+"]", want)
	}
	return s
}

// shows checks that an element shows a number, in full in its data and with six digits in its text.
func (b *benchPage) shows(css string, want float64) {
	b.t.Helper()
	var got struct{ Value, Text string }
	b.eval(fmt.Sprintf(
		`(() => { const it = document.querySelector(%q); return {Value: it.dataset.value, Text: it.textContent} })()`,
		css,
	), &got)
	if text := onPage(want, 6); got.Text != text {
		b.t.Errorf("%s shows %q, want %q", css, got.Text, text)
	}
	if math.IsNaN(want) && got.Value == "" { // an empty cell
		return
	}
	if v, err := strconv.ParseFloat(got.Value, 64); err != nil || !b.same(v, want) {
		b.t.Errorf("%s has the value %s, want %v", css, got.Value, want)
	}
}

// same reports whether a number of the page is that of the library. In a browser exp and log may be
// rounded otherwise, by the program in it, and so may the last digits.
func (b *benchPage) same(got, want float64) bool {
	b.t.Helper()
	if got == want || math.IsNaN(got) && math.IsNaN(want) {
		return true
	}
	return math.Abs(got-want) <= 1e-12*math.Abs(want) && b.is(`"browser" in document.documentElement.dataset`)
}

// onPage is a number as people read it on the page.
func onPage(x float64, digits int) string {
	text := strconv.FormatFloat(x, 'e', digits-1, 64)
	switch size := math.Abs(x); {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "−∞"
	case x == 0:
		return "0"
	case size >= 1e-4 && size < 1e7:
		text = strconv.FormatFloat(x, 'f', max(0, digits-1-int(math.Floor(math.Log10(size)))), 64)
	default:
		mantissa, exponent, _ := strings.Cut(text, "e")
		n, _ := strconv.Atoi(exponent) // it is a number
		text = mantissa + "e" + strconv.Itoa(n)
	}
	return strings.ReplaceAll(text, "-", "−")
}

// TestPageOpens: the page answers all that it promises, without an error on its console or a
// request to another machine.
func TestPageOpens(t *testing.T) {
	t.Parallel()
	b := openBench(t, smallBench)
	b.solved()
	b.settled("schedule", "gap", "frames", "curve", "law", "samples", "spectrum")
	for _, name := range []string{"gap", "curve", "law", "samples", "spectrum"} {
		if !b.is(`document.querySelector("[data-section=%s] .drawn svg title")`, name) {
			t.Errorf("%s: no figure with tooltips", name)
		}
	}
	if got := b.value(
		`[...document.querySelectorAll("#board [role=gridcell]")].map(cell => cell.dataset.g).join(" ")`,
	); got !=
		"0 1 2 3 0 -1 0 -2 4" {
		t.Errorf("the board shows %s", got)
	}
	if got := b.value(`document.querySelector("#doc-path").innerHTML`); got !=
		"f<sub>t</sub> = f<sub>1</sub><sup>1-b<sub>t</sub></sup> f<sub>T</sub><sup>b<sub>t</sub></sup>" {
		t.Errorf("the path is %s", got)
	}
	b.accessible()
	b.narrow()
	b.wait(`(box => box.width === 252 && box.height > box.width / `+
		`2)(document.querySelector("[data-section=gap] .drawn svg").viewBox.baseVal)`,
		longtest.Patience) // of 3.5 in, with panels above one another
	b.fits()
	b.quiet()

	b.visit("") // what the page asks where the address says nothing
	if got := b.question().Get("toy"); got != "barrier" {
		t.Errorf("the page begins with %s", got)
	}
	b.solved()
	b.quiet()
}

// TestPageSaysWhatIsWrong: a refusal is shown at its place, and the page goes on, also after the
// server was not there for a while.
func TestPageSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := openBench(t, smallBench)
	for id, wrong := range map[string]string{
		"T": "1e18", "toy": "nothing", "schedule": "curve:0:2:1", "kernel": "exec:ls", "path": "?",
		"initial": "file:/etc/passwd"} {
		right := b.question().Get(id)
		b.fill("control-"+id, wrong)
		b.wait(fmt.Sprintf(`!document.getElementById("error-%s").hidden && `+
			`document.getElementById("numbers").dataset.stale === "true"`,
			id), longtest.Patience)
		if b.text("#error-"+id) == "" ||
			!b.is(`document.getElementById("control-%s").getAttribute("aria-invalid") === "true"`, id) {
			t.Errorf("%s=%s: no message", id, wrong)
		}
		b.fill("control-"+id, right)
		b.answered()
		if !b.is(`document.getElementById("error-%s").hidden`, id) {
			t.Errorf("%s: the message stays", id)
		}
	}
	if !*inBrowser { // which needs no network
		b.offline()
		b.fill("control-T", "13")
		b.wait(`!document.getElementById("alert").hidden`, longtest.Patience)
		b.online()
	}
	b.fill("control-T", "14")
	b.solved()
	if !b.is(`document.getElementById("alert").hidden`) {
		t.Error("the alarm stays")
	}
	b.quiet("400", "ERR_INTERNET_DISCONNECTED")
}
