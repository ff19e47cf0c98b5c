package targets

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/toys"
)

const (
	// textColumns is the width of a terminal, into which heat maps are set beside each other.
	textColumns = 80
	// maxTextMarginals is the largest number of marginals that are drawn in characters, and maxTextLines of lines that maps take.
	maxTextMarginals = 10
	maxTextLines     = 120
)

// textMaps returns a drawing of probabilities on a grid of three axes and more in characters, by the same parts as figures: slices of
// fixed coordinates, or where these are many the marginals of pairs of axes. All have one scale. It draws nothing where there is no
// room for them, or where they would be a line each.
func textMaps(toy *toys.Toy, p []float64) (text string, drawn bool) {
	c, err := collageOf(toy)
	if err != nil {
		return "", false
	}
	tiles := slices.DeleteFunc(slices.Clone(c.tiles), func(t tile) bool { return t.rows == 0 })
	if c.marginals && len(tiles) > maxTextMarginals {
		return "", false
	}
	high := 0.0
	for i := range tiles {
		high = max(high, slices.Max(tiles[i].values(p)))
	}
	var blocks [][]string
	lines := 0
	for i := range tiles {
		t := &tiles[i]
		if 2*t.columns+2 > textColumns {
			return "", false
		}
		block := append([]string{tileTitle(toy, t, c.marginals)}, mapLines(t.values(p), t.columns, high)...)
		blocks = append(blocks, block)
		lines += len(block)
	}
	if lines > maxTextLines {
		return "", false
	}
	axes := toy.Variables()
	end := fmt.Sprintf("p from 0 (blank) to %.4g (full), even in its square root; %s down and %s across%s\n", high, axes[len(axes)-2].Name, axes[len(axes)-1].Name, orderOf(toy))
	if c.marginals {
		end = fmt.Sprintf("marginals of pairs of axes: p from 0 (blank) to %.4g (full), even in its square root\n", high)
	}
	return besideEachOther(blocks, textColumns) + end, true
}

// tileTitle says which part of the grid of a toy a tile is.
func tileTitle(toy *toys.Toy, t *tile, marginal bool) string {
	axes := toy.Variables()
	if marginal {
		return fmt.Sprintf("%s down, %s across", axes[t.down].Name, axes[t.across].Name)
	}
	var fixed []string
	for k, axis := range axes[:len(axes)-2] {
		fixed = append(fixed, axis.Name+"="+axis.Text(toy.Lattice().Coord(t.first, k)))
	}
	return strings.Join(fixed, " ")
}

// besideEachOther sets blocks of lines beside each other as far as a width allows, and the next below them.
func besideEachOther(blocks [][]string, width int) string {
	var b strings.Builder
	for len(blocks) > 0 {
		widths, used, n := []int(nil), 0, 0
		for n < len(blocks) {
			wide := 0
			for _, line := range blocks[n] {
				wide = max(wide, len([]rune(line)))
			}
			if n > 0 && used+2+wide > width {
				break
			}
			widths, used, n = append(widths, wide), used+2+wide, n+1
			if n == 1 {
				used -= 2
			}
		}
		tall := 0
		for _, block := range blocks[:n] {
			tall = max(tall, len(block))
		}
		for i := range tall {
			var line strings.Builder
			for k, block := range blocks[:n] {
				text := ""
				if i < len(block) {
					text = block[i]
				}
				if k > 0 {
					line.WriteString("  ")
				}
				line.WriteString(text + strings.Repeat(" ", widths[k]-len([]rune(text))))
			}
			b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
		blocks = blocks[n:]
	}
	return b.String()
}
