package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"breadboard/grid/longtest"
)

// tabTime is the longest time that a test may keep a tab.
const tabTime = 3 * longtest.Patience

// errNoBrowser is why tests in a browser are skipped.
var errNoBrowser = errors.New("it needs chromium, chromium-browser or google-chrome, or CHROMIUM=PATH of one")

// browser is a headless Chromium. Every test has a tab of its own in it, with its own cookies and
// storage.
type browser struct{ ctx context.Context }

// chromium returns the path of a Chromium.
func chromium() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoBrowser
}

// unneeded are features of Chromium that no page here needs: first what chromedp leaves out itself,
// then two pages behind the bar for addresses, which every window opens anew and which take half of
// the time of a processor that the tests take with them. A Chromium that has them not, or under
// other names, minds nothing.
const unneeded = "site-per-process,Translate,BlinkGenPropertyTrees," +
	"WebUIOmniboxPopup,WebUIOmniboxAimPopup"

// startBrowser starts a Chromium that finds no host but this machine: a page that asks for another
// one fails, and the tab tells. It ends when all tests have run.
func startBrowser() (*browser, error) {
	path, err := chromium()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.WSURLReadTimeout(longtest.Patience), // on a machine that is busy with other tests
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]"),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("no-proxy-server", true),
		chromedp.Flag("disable-features", unneeded),
	)
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has no sandbox where it is started by root
	}
	allocator, kill := chromedp.NewExecAllocator(context.Background(), options...)
	// what chromedp says of events that a newer Chromium has and it does not know
	unknown := func(string, ...any) {}
	ctx, stop := chromedp.NewContext(allocator, chromedp.WithErrorf(unknown))
	atEnd.add(func() error { stop(); kill(); return nil })
	if err := chromedp.Run(ctx); err != nil {
		return nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return &browser{ctx}, nil
}

// window opens an empty page with cookies and storage of its own, which go when the test ends. It
// has a window of its own as well, without which Chromium opens no page that shares nothing with
// the others.
func (b *browser) window(t *testing.T) (page target.ID, apart cdp.BrowserContextID, err error) {
	executor := cdp.WithExecutor(b.ctx, chromedp.FromContext(b.ctx).Browser)
	apart, err = target.CreateBrowserContext().Do(executor)
	if err != nil {
		return "", "", err
	}
	// the browser itself ends soon after
	t.Cleanup(func() { _ = target.DisposeBrowserContext(apart).Do(executor) })
	page, err = target.CreateTarget("about:blank").WithBrowserContextID(apart).WithNewWindow(true).Do(executor)
	return page, apart, err
}

// tab is a page of the browser, with all that it says on its console and all that it asks for.
type tab struct {
	t     *testing.T
	ctx   context.Context
	apart cdp.BrowserContextID // what keeps its cookies and its storage apart from those of others

	mu sync.Mutex
	// errors and warnings on the console, uncaught exceptions, and what the browser itself has
	// logged as errors
	reported []string
	requests []string // the URL of each request
}

// openTab returns a tab of the shared browser, which is closed when the test ends. It skips the
// test if there is no browser, and in short runs. A browser that is there and does not start is a
// failure.
func openTab(t *testing.T) *tab {
	t.Helper()
	longtest.Only(t)
	b, err := sharedBrowser()
	if errors.Is(err, errNoBrowser) {
		t.Skip(err)
	}
	longtest.NoError(t, err)
	id, apart, err := b.window(t)
	longtest.NoError(t, err)
	ctx, shut := chromedp.NewContext(b.ctx, chromedp.WithTargetID(id))
	ctx, expire := context.WithTimeout(ctx, tabTime)
	t.Cleanup(func() { expire(); shut() })
	p := &tab{t: t, ctx: ctx, apart: apart}
	chromedp.ListenTarget(ctx, p.listen)
	// one window of several has the focus
	p.run(network.Enable(), log.Enable(), runtime.Enable(), emulation.SetFocusEmulationEnabled(true))
	return p
}

// listen records an event of the page.
func (p *tab) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		switch e.Type {
		case runtime.APITypeError, runtime.APITypeWarning, runtime.APITypeAssert:
			p.reported = append(p.reported, fmt.Sprintf("console.%s: %s", e.Type, consoleText(e.Args)))
		}
	case *runtime.EventExceptionThrown:
		p.reported = append(p.reported, "exception: "+e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.reported = append(p.reported, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *network.EventWebSocketCreated:
		p.requests = append(p.requests, e.URL)
	}
}

// consoleText returns what a call of the console has shown.
func consoleText(args []*runtime.RemoteObject) string {
	var words []string
	for _, a := range args {
		text := a.Description
		if text == "" {
			text = string(a.Value)
		}
		words = append(words, text)
	}
	return strings.Join(words, " ")
}

// run does actions, and fails the test where one of them fails.
func (p *tab) run(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.t.Fatalf("%v; the page said %q", err, p.problems())
	}
}

// open goes to an address and waits until the page is loaded.
func (p *tab) open(address string) {
	p.t.Helper()
	p.run(chromedp.Navigate(address))
}

// eval sets what a pointer points to, which may be nil, to the value of an expression of
// JavaScript. It waits for a promise.
func (p *tab) eval(expression string, value any) {
	p.t.Helper()
	p.run(chromedp.Evaluate(expression,
		value, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
}

// wait waits until an expression of JavaScript is true, and fails the test where that takes longer
// than a limit. A page that is replaced by another one takes the expression with it, which then
// begins anew on the other.
func (p *tab) wait(expression string, limit time.Duration) {
	p.t.Helper()
	end := time.Now().Add(limit)
	err := errReplaced
	for errors.Is(err, errReplaced) {
		left := max(time.Until(end), time.Millisecond) // no limit would be 0
		err = replaced(chromedp.Run(p.ctx, chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(left),
			chromedp.WithPollingInterval(5*time.Millisecond))))
	}
	if err != nil {
		p.t.Fatalf("%s is not true within %v: %v; the page said %q", expression, limit, err, p.problems())
	}
}

// errReplaced is what an expression ends with whose page has been replaced by another one.
var errReplaced = errors.New("another page was opened")

// replaced returns errReplaced for what Chromium answers where the page of a question has been
// replaced, before it came or while it was at work, and other errors as they are.
func replaced(err error) error {
	gone := []string{"Cannot find context with specified id", "Execution context was destroyed.",
		"Inspected target navigated or closed"}
	if answer, ok := errors.AsType[*cdproto.Error](err); ok && slices.Contains(gone, answer.Message) {
		return fmt.Errorf("%w: %w", errReplaced, err)
	}
	return err
}

// text returns the text of the first element that a selector of CSS finds.
func (p *tab) text(css string) (text string) {
	p.t.Helper()
	p.run(chromedp.Text(css, &text, chromedp.ByQuery))
	return text
}

// narrow makes the page 360 px wide, as a small phone is, with touch.
func (p *tab) narrow() {
	p.t.Helper()
	p.run(chromedp.EmulateViewport(360, 740, chromedp.EmulateMobile, chromedp.EmulateTouch))
}

// media tells the page what its reader prefers, as in prefers-color-scheme, dark,
// prefers-reduced-motion, reduce. It replaces what an earlier call has told.
func (p *tab) media(namesAndValues ...string) {
	p.t.Helper()
	var features []*emulation.MediaFeature
	for pair := range slices.Chunk(namesAndValues, 2) {
		features = append(features, &emulation.MediaFeature{Name: pair[0], Value: pair[1]})
	}
	p.run(emulation.SetEmulatedMedia().WithFeatures(features))
}

// dark is what readers prefer who want dark pages.
func (p *tab) dark() { p.t.Helper(); p.media("prefers-color-scheme", "dark") }

// offline takes the network away from the page, this machine as well, and online gives it back.
func (p *tab) offline() { p.t.Helper(); p.run(network.EmulateNetworkConditions(true, 0, -1, -1)) }
func (p *tab) online()  { p.t.Helper(); p.run(network.EmulateNetworkConditions(false, 0, -1, -1)) }

// problems returns what the console has reported as wrong so far.
func (p *tab) problems() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.reported)
}

// outside returns the requests so far that go anywhere but to this machine. Files and data within
// the page go nowhere.
func (p *tab) outside() (addresses []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, address := range p.requests {
		if !stays(address) {
			addresses = append(addresses, address)
		}
	}
	return addresses
}

// stays reports whether a request to an address stays on this machine.
func stays(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "data", "blob", "about":
		return true
	case "file":
		return u.Host == ""
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// quiet fails the test where anything is wrong on the console, or the page has asked for something
// outside of this machine. Wrongs that have one of the allowed texts in them are as the test wants
// them, as the entry of Chromium for an answer with status 400 is where a mistake is made on
// purpose.
func (p *tab) quiet(allowed ...string) {
	p.t.Helper()
	p.run(chromedp.Evaluate("0", nil)) // so that events of before have arrived
	for _, problem := range p.problems() {
		if !slices.ContainsFunc(allowed, func(text string) bool { return strings.Contains(problem, text) }) {
			p.t.Errorf("the page said %s", problem)
		}
	}
	for _, address := range p.outside() {
		p.t.Errorf("the page asked for %s", address)
	}
}

// fits fails the test if the page is wider than its window, so that one must scroll sideways to
// read it.
func (p *tab) fits() {
	p.t.Helper()
	var widths struct{ Page, Window int }
	p.eval(`({Page: document.documentElement.scrollWidth, Window: document.documentElement.clientWidth})`,
		&widths)
	if widths.Page > widths.Window {
		p.t.Errorf("the page is %d px wide and the window %d px", widths.Page, widths.Window)
	}
}

// violation is what axe-core has found against a rule.
type violation struct {
	ID, Impact, Help string
	Targets          []string // the elements, as selectors of CSS
}

// axeRun runs the rules of WCAG 2.2 A and AA and the best practices, without requests for style
// sheets.
const axeRun = `axe.run(document, {resultTypes: ['violations'], preload: false}).then(found => JSON.stringify(found.violations.map(v =>
	({ID: v.id, Impact: v.impact || '', Help: v.help, Targets: v.nodes.map(n => n.target.flat().join(' '))}))))`

// axeFile is axe-core in the folder in which npm has installed it.
const axeFile = "node_modules/axe-core/axe.min.js"

// violations returns what axe-core finds of serious or critical impact, and false if it is not
// there. It needs the environment variable AXE_CORE with the folder in which axe-core was installed
// by npm. It is evaluated from outside, so that the page's own policy, which allows no foreign
// script, stays in force.
func (p *tab) violations() (serious []violation, run bool) {
	p.t.Helper()
	folder := os.Getenv("AXE_CORE")
	if folder == "" {
		return nil, false
	}
	source, err := os.ReadFile(filepath.Join(folder, axeFile))
	if err != nil {
		p.t.Fatal(err)
	}
	p.run(chromedp.Evaluate(string(source)+";0", nil))
	var text string
	p.eval(axeRun, &text)
	var all []violation
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		p.t.Fatal(err)
	}
	for _, v := range all {
		if v.Impact == "serious" || v.Impact == "critical" {
			serious = append(serious, v)
		}
	}
	return serious, true
}

// accessible fails the test where axe-core finds anything serious on the page as it is now. Where
// axe-core is not there it says so.
func (p *tab) accessible() {
	p.t.Helper()
	serious, run := p.violations()
	if !run {
		p.t.Log("not looked at by axe-core: it needs AXE_CORE=DIR after npm install axe-core in DIR")
	}
	for _, v := range serious {
		p.t.Errorf("axe-core: %s (%s): %s: %s", v.ID, v.Impact, v.Help, strings.Join(v.Targets, ", "))
	}
}
