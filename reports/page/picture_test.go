package page

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// hostile are files that are no figures of this program.
func hostile() map[string]string {
	svg := func(inside string) string {
		return `<svg xmlns="http://www.w3.org/2000/svg">` + inside + `</svg>`
	}
	return map[string]string{
		"script":            svg(`<script>alert(1)</script>`),
		"foreign":           svg(`<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>`),
		"foreign namespace": svg(`<g xmlns="http://www.w3.org/1999/xhtml"/>`),
		"handler":           `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
		"handler in style":  svg(`<path style="onload:alert(1)"/>`),
		"link":              svg(`<a href="https://example.org"><text>x</text></a>`),
		"image":             svg(`<image href="https://example.org/x.png"/>`),
		"use":               svg(`<use href="#x"/>`),
		"style element":     svg(`<style>@import url(https://example.org)</style>`),
		"style with url":    svg(`<path style="fill:url(https://example.org)"/>`),
		"style in style":    svg(`<path style="style:fill"/>`),
		"fill with url":     svg(`<path fill="url(#x)"/>`),
		"prefixed":          svg(`<path xmlns:x="y" x:fill="none"/>`),
		"xlink": `<svg xmlns="http://www.w3.org/2000/svg" ` +
			`xmlns:xlink="http://www.w3.org/1999/xlink"><g xlink:href="x"/></svg>`,
		"animate":         svg(`<animate attributeName="href" to="javascript:alert(1)"/>`),
		"doctype":         `<!DOCTYPE svg [<!ENTITY a "b">]>` + svg(""),
		"entity":          svg(`<text>&a;</text>`),
		"text outside":    svg(`alert(1)`),
		"element in text": svg(`<text><g/></text>`),
		"two pictures":    svg("") + svg(""),
		"picture in it":   svg(svg("")),
		"no namespace":    `<svg><g/></svg>`,
		"no picture":      `<?xml version="1.0"?>`,
		"empty":           ``,
		"unclosed":        `<svg xmlns="http://www.w3.org/2000/svg"><g>`,
		"html":            `<html><body onload="alert(1)">`,
		"deep":            svg(strings.Repeat("<g>", 100) + strings.Repeat("</g>", 100)),
		"many":            svg(strings.Repeat("<g/>", maxElements+1)),
		"large":           svg(`<text>` + strings.Repeat("x", maxPicture) + `</text>`),
		"transform":       svg(`<g transform="matrix(1,0,0,1,0,0)"/>`),
		"path elsewhere":  svg(`<text d="M0,0">x</text>`),
		"utf-16":          "\xff\xfe<\x00s\x00",
	}
}

// TestHostilePictures: what is not as this program writes it is refused.
func TestHostilePictures(t *testing.T) {
	longtest.Only(t)
	for name, svg := range hostile() {
		if clean, _, err := cleanPicture([]byte(svg)); err == nil {
			t.Errorf("%s: %.100s", name, clean)
		}
	}
}

// FuzzCleanPicture: what comes out has elements and attributes of the lists alone, stays the same
// when it is read again, and has no text that is not escaped.
func FuzzCleanPicture(f *testing.F) {
	for _, svg := range hostile() {
		if len(svg) < 1000 {
			f.Add([]byte(svg))
		}
	}
	f.Add([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>&lt;script&gt;</title><g ` +
		`fill-opacity="0"><circle cx="1" cy="2" r="3"/></g></svg>`))
	f.Fuzz(func(t *testing.T, data []byte) {
		clean, _, err := cleanPicture(data)
		if err != nil {
			return
		}
		again, _, err := cleanPicture([]byte(strings.Replace(string(clean), "<svg", `<svg xmlns="`+svgSpace+`"`, 1)))
		if err != nil || again != clean {
			t.Fatalf("%s\nbecomes %s, %v", clean, again, err)
		}
		in := xml.NewDecoder(strings.NewReader(string(clean)))
		for {
			token, err := in.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			longtest.NoError(t, err)
			if e, is := token.(xml.StartElement); is {
				if _, known := pictureElements()[e.Name.Local]; !known {
					t.Fatalf("%s", clean)
				}
				for _, a := range e.Attr {
					if _, known := pictureAttributes()[a.Name.Local]; !known ||
						strings.Contains(a.Value, "url(") || strings.Contains(a.Value, ":") {
						t.Fatalf("%s", clean)
					}
				}
			}
		}
	})
}
