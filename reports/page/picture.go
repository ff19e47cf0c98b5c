package page

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"html/template"
	"image/png"
	"io"
	"regexp"
	"strings"
)

// These bound a figure. The largest figures of this program have a tenth of that.
const (
	maxPicture  = 4 << 20
	maxPixels   = 1 << 25
	maxElements = 50_000
	maxDepth    = 32
)

// svgSpace is the namespace of SVG.
const svgSpace = "http://www.w3.org/2000/svg"

// pictureElements are the elements of figures that this program writes, each with whether text may
// stand in it.
func pictureElements() map[string]bool {
	return map[string]bool{
		"svg": false, "g": false, "path": false, "circle": false, "rect": false, "text": true, "title": true}
}

// attribute says of an attribute which values it may have, and in which element; empty is in any.
type attribute struct {
	values  *regexp.Regexp
	element string
}

// pictureAttributes are the attributes of figures that this program writes. None of their values
// can name another place.
func pictureAttributes() map[string]attribute {
	number := regexp.MustCompile(`^[-+0-9.eE]{1,40}(pt|px)?$`)
	numbers := regexp.MustCompile(`^[-+0-9.eE, ]{1,400}$`)
	colour := regexp.MustCompile(`^(none|#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6})$`)
	word := regexp.MustCompile(`^[a-z0-9-]{1,20}$`)
	list := map[string]attribute{
		"viewBox": {numbers, "svg"},
		"role":    {regexp.MustCompile(`^img$`), "svg"},
		"class":   {regexp.MustCompile(`^map$`), "svg"},
		"d":       {regexp.MustCompile(`^[MLQCAZ0-9.eE, +-]*$`), "path"},
		"transform": {
			regexp.MustCompile(`^((scale|translate|rotate)\([-+0-9.eE, ]{1,80}\) ?){1,4}$`), ""},
		"fill":             {colour, ""},
		"stroke":           {colour, ""},
		"stroke-dasharray": {numbers, ""},
		"textLength":       {number, "text"},
		"lengthAdjust":     {regexp.MustCompile(`^spacingAndGlyphs$`), "text"},
		"font-family":      {regexp.MustCompile(`^[A-Za-z0-9 ',-]{1,200}$`), ""},
	}
	for _, name := range []string{"width", "height", "x", "y", "cx", "cy", "r", "fill-opacity",
		"stroke-opacity", "stroke-width", "stroke-dashoffset",
		"font-size"} {
		list[name] = attribute{number, ""}
	}
	for _, name := range []string{"font-variant", "font-weight", "font-style"} {
		list[name] = attribute{word, ""}
	}
	return list
}

// isPicture reports whether a page shows a file of that name as a figure.
func isPicture(name string) bool {
	return strings.HasSuffix(name, ".svg") || strings.HasSuffix(name, ".png")
}

// checkSize fails for a picture that is too large for a page.
func checkSize(content []byte) error {
	if len(content) > maxPicture {
		return fmt.Errorf("it has %d bytes, and figures have at most %d", len(content), maxPicture)
	}
	return nil
}

// pictureOf returns the content of such a file as it may stand in a page, and its title, which may
// be empty.
func pictureOf(name string, content []byte) (picture template.HTML, title string, err error) {
	if strings.HasSuffix(name, ".svg") {
		return cleanPicture(content)
	}
	if err := checkSize(content); err != nil {
		return "", "", err
	}
	if c, err := png.DecodeConfig(bytes.NewReader(content)); err == nil && c.Width*c.Height > maxPixels {
		return "", "", fmt.Errorf("it has %d x %d pixels, and figures have at most %d", c.Width, c.Height, maxPixels)
	}
	if _, err := png.Decode(bytes.NewReader(content)); err != nil {
		return "", "", err
	}
	return template.HTML(`<img alt="" src="data:image/png;base64,` +
		base64.StdEncoding.EncodeToString(content) + `">`), "", nil
}

// cleanPicture returns an SVG file as it may stand in a page: written anew from the elements and
// attributes that figures of this program have. Any other element or attribute is an error that
// names it, because the file is not what it should be; a style becomes the attributes that say the
// same. It also returns the title of the picture, which may be empty. It takes time and memory in
// proportion to the size of the file.
func cleanPicture(svg []byte) (picture template.HTML, title string, err error) {
	if err := checkSize(svg); err != nil {
		return "", "", err
	}
	c := cleaner{elements: pictureElements(), attributes: pictureAttributes()}
	in := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = c.addToken(token)
		}
		if err != nil {
			return "", "", err
		}
	}
	if c.count == 0 {
		return "", "", errors.New("it has no picture")
	}
	// every part of it is escaped or was held against a list
	return template.HTML(c.out.String()), c.title, nil
}

// cleaner writes a picture anew.
type cleaner struct {
	elements   map[string]bool
	attributes map[string]attribute
	out        strings.Builder
	open       []string // the elements that are open
	count      int
	title      string // the text of the title that stands in the picture itself
}

func (c *cleaner) addToken(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		return c.startElement(token)
	case xml.EndElement:
		fmt.Fprintf(&c.out, "</%s>", token.Name.Local)
		c.open = c.open[:len(c.open)-1] // the decoder has held the two ends against one another
	case xml.CharData:
		return c.text(string(token))
	case xml.Directive:
		return errors.New("it has a declaration, as of a document type")
	}
	return nil // comments, and the declaration of XML itself
}

func (c *cleaner) text(text string) error {
	if len(c.open) > 0 && c.elements[c.open[len(c.open)-1]] {
		c.out.WriteString(html.EscapeString(text))
		if len(c.open) == 2 && c.open[1] == "title" {
			c.title += text
		}
		return nil
	}
	if strings.TrimSpace(text) != "" {
		return fmt.Errorf("it has the text %.40q where none belongs", strings.TrimSpace(text))
	}
	return nil
}

func (c *cleaner) startElement(e xml.StartElement) error {
	name := e.Name.Local
	_, known := c.elements[name]
	c.count++
	switch {
	case !known || e.Name.Space != svgSpace:
		return fmt.Errorf("it has an element %.40q, which no figure of this program has", name)
	case (name == "svg") != (len(c.open) == 0) || name == "svg" && c.count > 1:
		return errors.New("it is not a single picture")
	case len(c.open) > 0 && c.elements[c.open[len(c.open)-1]]:
		return fmt.Errorf("it has an element %.40q in a text", name)
	case len(c.open) >= maxDepth || c.count > maxElements:
		return fmt.Errorf("it has more than %d elements, or more than %d within one another", maxElements, maxDepth)
	}
	c.open = append(c.open, name)
	fmt.Fprintf(&c.out, "<%s", name)
	if name == "svg" {
		c.out.WriteString(` role="img"`)
	}
	seen := map[string]bool{"role": true}
	for _, a := range e.Attr {
		if err := c.attribute(name, a, seen); err != nil {
			return err
		}
	}
	c.out.WriteString(">")
	return nil
}

// attribute writes an attribute that an element may have, once.
func (c *cleaner) attribute(element string, a xml.Attr, seen map[string]bool) error {
	name := a.Name.Local
	switch {
	case a.Name.Space == "xmlns" || a.Name.Space == "" && (name == "xmlns" || name == "version"):
		return nil
	case a.Name.Space == "" && name == "style":
		for declaration := range strings.SplitSeq(a.Value, ";") {
			name, value, _ := strings.Cut(declaration, ":")
			if name == "style" || strings.TrimSpace(declaration) == "" && a.Value != "" {
				return errors.New("it has a style that no figure of this program has")
			}
			if err := c.attribute(element, xml.Attr{
				Name:  xml.Name{Local: strings.TrimSpace(name)},
				Value: strings.TrimSpace(value),
			}, seen); err != nil {
				return err
			}
		}
		return nil
	}
	rule, known := c.attributes[name]
	if !known || a.Name.Space != "" || rule.element != "" && rule.element != element {
		return fmt.Errorf("the element %s has an attribute %.40q, which no figure of this program has", element, name)
	}
	if !rule.values.MatchString(a.Value) {
		return fmt.Errorf("the attribute %s of an element %s has a value that no figure of this program has: %.40q",
			name, element, a.Value)
	}
	if !seen[name] {
		seen[name] = true
		fmt.Fprintf(&c.out, ` %s="%s"`, name, html.EscapeString(a.Value))
	}
	return nil
}
