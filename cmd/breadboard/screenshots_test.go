package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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
	screenshots = moduleFolder + "/reports/images"
	// screenshotsRecord has the name of each picture and the hash of what it was made from.
	screenshotsRecord = screenshots + "/pages.txt"
	// maxScreenshot bounds the bytes of a picture of a page, since everybody who clones the
	// repository downloads it.
	maxScreenshot = 250_000
	// screenshotScale is the number of pixels of a picture for one of the page, with which letters
	// are sharp on most screens.
	screenshotScale = 1.25
)

// walledBench is a target of two hills and a wall with a gap between them, on which the chains of a
// page are to be seen at work.
const walledBench = "toy=cells:2:2:1:-9:0:0:0/2:2:1:-9:0:0:0/1:1:1:-9:0:0:0/0:0:0:0:0:0:0/0:0:0:-9:1:1:1/0:0:0:-9:1:2:3/0:0:0:-9:1:3:3" +
	"&T=200&schedule=power:2&stage=60"

// screenshot is a picture of a page: the folder of the page's files, how the page gets there, and
// the part of it that is shown.
type screenshot struct {
	name          string
	assets        string // in the module
	width, height int64  // of the window
	element       string
	open          func(*testing.T) *tab
}

// madeFrom returns 16 digits of the SHA-256 of the files of the page, of the window, of the
// question, and of the selectors that the bench describes.
func (s screenshot) madeFrom(t *testing.T) string {
	t.Helper()
	hash := sha256.New()
	fmt.Fprintln(hash, s.name, s.width, s.height, s.element, walledBench)
	for _, path := range longtest.Must(filepath.Glob(filepath.Join(moduleFolder, s.assets, "*")))(t) {
		hash.Write(longtest.Must(os.ReadFile(path))(t))
	}
	reference := string(longtest.Must(os.ReadFile("topics/reference.md"))(t))
	for _, selector := range []string{"cells:G:G", "power:P", "metropolis", "geometric", "uniform"} {
		_, entry, _ := strings.Cut(reference, "\n- `"+selector)
		entry, _, _ = strings.Cut(entry, "\n- ")
		fmt.Fprintln(hash, entry)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// allScreenshots returns the pictures that documents show of pages.
func allScreenshots() []screenshot {
	return []screenshot{
		{"bench.png", "cmd/bench/assets", 1280, 940, "", func(t *testing.T) *tab {
			b := openBench(t, walledBench)
			b.settled("schedule", "frames")
			return b.tab
		}},
		{"timetravel.png", "cmd/bench/assets", 1200, 800, "[data-section=frames]",
			func(t *testing.T) *tab {
				b := openBench(t, walledBench)
				b.settled("frames")
				b.run(chromedp.Focus("#maps", chromedp.ByQuery))
				// the gap in the wall
				b.press(kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, kb.ArrowDown, kb.ArrowRight, kb.ArrowRight,
					kb.ArrowRight, kb.Enter)
				b.wait(`!document.getElementById("figure-follow").hidden`, longtest.Patience)
				b.fill("stage", "100")
				b.stage()
				return b.tab
			}},
		{"report.png", "reports/page/assets", 1100, 1440, "", func(t *testing.T) *tab {
			p := openTab(t)
			dir := t.TempDir()
			breadboard(t, dir, "tightness", "-T", "10,30,100,300,1000,3000,10000", "--figures",
				"svg", "--out", "results")
			breadboard(t, dir, "gap", "--toy", "barrier", "-T", "100", "--figures", "svg", "--out", "results")
			breadboard(t, dir, "report", "results", "--out", "report.html")
			p.open("file://" + filepath.Join(dir, "report.html"))
			p.run(chromedp.SendKeys(firstTable+" input[type=search]", "barrier J>0.5", chromedp.ByQuery))
			p.eval(`[...document.querySelectorAll("`+firstTable+
				` > .scroll thead button")].find(b => b.textContent.startsWith("J")).click(); `+
				`document.querySelector("#part-1").scrollIntoView({behavior: "instant"})`,
				nil)
			return p
		}},
	}
}

// TestScreenshots fails if a picture of a page is missing, large, shown nowhere, or older than the
// files of its page. With -update it takes the old ones anew in a browser. What they show is not
// compared, because letters look different on each system.
func TestScreenshots(t *testing.T) {
	var shown, now strings.Builder
	for _, doc := range []string{moduleFolder + "/README.md", "topics/page.md", "topics/output.md"} {
		text := longtest.Must(os.ReadFile(doc))(t)
		shown.Write(text)
	}
	recorded := string(longtest.Must(os.ReadFile(screenshotsRecord))(t))
	for _, s := range allScreenshots() {
		path := longtest.Must(filepath.Abs(filepath.Join(screenshots, s.name)))(t)
		line := s.name + " " + s.madeFrom(t) + "\n"
		now.WriteString(line)
		if !strings.Contains(recorded, line) {
			if *update {
				t.Run(s.name, func(t *testing.T) { s.take(t, path) })
			} else {
				t.Errorf("%s is stale: .ci/images takes it anew", s.name)
			}
		}
		data := longtest.Must(os.ReadFile(path))(t)
		if _, err := png.DecodeConfig(bytes.NewReader(data)); err != nil || len(data) > maxScreenshot {
			t.Errorf("%s has %d bytes, at most %d are wanted, %v", s.name, len(data), maxScreenshot, err)
		}
		if !strings.Contains(shown.String(), "reports/images/"+s.name) {
			t.Errorf("no document shows %s", s.name)
		}
	}
	if *update {
		longtest.NoError(t, os.WriteFile(screenshotsRecord, []byte(now.String()), 0o644))
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
