package browsertest

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"breadboard/grid/longtest"
)

const (
	// screenshots is the folder of the pictures that documents show.
	screenshots = module + "/reports/images"
	// maxScreenshot bounds the bytes of a picture of a page, since everybody who clones the repository downloads it.
	maxScreenshot = 250_000
	// screenshotScale is the number of pixels of a picture for one of the page, with which letters are sharp on most screens.
	screenshotScale = 1.25
)

// walledBench is a target of two hills and a wall with a gap between them, on which the chains of a page are to be seen at work.
const walledBench = "toy=cells:2:2:1:-9:0:0:0/2:2:1:-9:0:0:0/1:1:1:-9:0:0:0/0:0:0:0:0:0:0/0:0:0:-9:1:1:1/0:0:0:-9:1:2:3/0:0:0:-9:1:3:3" +
	"&T=200&schedule=power:2&stage=60"

// screenshot is a picture of a page: how the page gets there, and the part of it that is shown.
type screenshot struct {
	name          string
	width, height int64 // of the window
	element       string
	open          func(*testing.T) *tab
}

// allScreenshots returns the pictures that documents show of pages.
func allScreenshots() []screenshot {
	return []screenshot{
		{"bench.png", 1280, 940, "", func(t *testing.T) *tab {
			b := openBench(t, walledBench)
			b.settled("schedule", "frames")
			return b.tab
		}},
		{"timetravel.png", 1200, 800, "[data-section=frames]", func(t *testing.T) *tab {
			b := openBench(t, walledBench)
			b.settled("frames")
			b.run(chromedp.Focus("#maps", chromedp.ByQuery))
			b.press(kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight, kb.ArrowRight, kb.ArrowRight, kb.Enter) // the gap in the wall
			b.wait(`!document.getElementById("figure-follow").hidden`, longtest.Patience)
			b.fill("stage", "100")
			b.stage()
			return b.tab
		}},
		{"report.png", 1100, 1120, "", func(t *testing.T) *tab {
			p := openTab(t)
			dir := t.TempDir()
			breadboard(t, dir, "tightness", "-T", "10,30,100,300,1000,3000,10000", "--figures", "svg", "--out", "results")
			breadboard(t, dir, "gap", "--toy", "barrier", "-T", "100", "--figures", "svg", "--out", "results")
			breadboard(t, dir, "report", "results", "--out", "report.html", "--title", "Three targets and a barrier")
			p.open("file://" + filepath.Join(dir, "report.html"))
			p.run(chromedp.SendKeys(firstTable+" input[type=search]", "barrier J>0.5", chromedp.ByQuery))
			p.eval(`[...document.querySelectorAll("`+firstTable+` > .scroll thead button")].find(b => b.textContent.startsWith("J")).click(); document.querySelector("#part-1").scrollIntoView({behavior: "instant"})`, nil)
			return p
		}},
	}
}

// TestScreenshots holds the pictures of pages to what documents need: they are there, small, and shown. With -update it takes them anew in a
// browser. What they show is not compared, because letters look different on each system.
func TestScreenshots(t *testing.T) {
	var shown strings.Builder
	for _, doc := range []string{module + "/README.md", "../topics/page.md"} {
		text := longtest.Must(os.ReadFile(doc))(t)
		shown.Write(text)
	}
	for _, s := range allScreenshots() {
		path := longtest.Must(filepath.Abs(filepath.Join(screenshots, s.name)))(t)
		if *update {
			t.Run(s.name, func(t *testing.T) { s.take(t, path) })
		}
		data := longtest.Must(os.ReadFile(path))(t)
		if _, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || len(data) > maxScreenshot {
			t.Errorf("%s has %d bytes, at most %d are wanted, %v", s.name, len(data), maxScreenshot, err)
		}
		if !strings.Contains(shown.String(), "reports/images/"+s.name) {
			t.Errorf("no document shows %s", s.name)
		}
	}
}

// take writes the picture to a file.
func (s screenshot) take(t *testing.T, path string) {
	p := s.open(t)
	p.run(chromedp.EmulateViewport(s.width, s.height, chromedp.EmulateScale(screenshotScale)))
	var data []byte
	p.eval("document.activeElement.blur()", nil)
	if s.element == "" {
		p.run(chromedp.CaptureScreenshot(&data))
	} else {
		p.run(chromedp.Screenshot(s.element, &data, chromedp.ByQuery))
	}
	whole := longtest.Must(png.Decode(bytes.NewReader(data)))(t)
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	longtest.NoError(t, encoder.Encode(&b, whole))
	longtest.NoError(t, os.WriteFile(path, b.Bytes(), 0o644))
	p.quiet()
}
