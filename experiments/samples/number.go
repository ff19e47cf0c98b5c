package samples

import "strconv"

// Digits says with how many digits a number is written.
type Digits struct {
	significant int  // from the first that is not zero to the last that is written
	decimals    int  // after the decimal point, shifted by the exponent
	whole       bool // whether there is neither a decimal point nor an exponent
}

// ParseNumber reads a finite decimal number, as selector.ParseNumber does, and counts its digits. Unlike that one it works
// on bytes and takes a few nanoseconds, and it keeps the sign of zero.
func ParseNumber(cell []byte) (v float64, d Digits, ok bool) {
	i := 0
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		i = 1
	}
	start := i
	var mantissa uint64     // without the zeros at its end, and meaningless above 19 digits
	zeros := 0              // how many of them there are
	written, point := 0, -1 // how many digits there are, and how many of them stand before the point
	for ; i < len(cell); i++ {
		if c := cell[i] - '0'; c <= 9 {
			written++
			switch {
			case c > 0:
				for ; zeros > 0; zeros-- {
					mantissa *= 10
				}
				mantissa = 10*mantissa + uint64(c)
				d.significant++
			case d.significant > 0:
				zeros++
				d.significant++
			}
		} else if cell[i] == '.' && point < 0 {
			point = written
		} else {
			break
		}
	}
	if written == 0 {
		return 0, Digits{}, false
	}
	if point >= 0 {
		d.decimals = written - point
	}
	d.whole = i-start == written
	if i < len(cell) {
		exponent, ok := parseExponent(cell[i:])
		if !ok {
			return 0, Digits{}, false
		}
		d.whole = false
		d.decimals -= exponent
	}
	if shift := d.decimals - zeros; d.significant-zeros <= 19 && mantissa < 1<<53 && shift >= -22 && shift <= 22 {
		return signed(scaled(mantissa, shift), cell[0] == '-'), d, true
	}
	v, err := strconv.ParseFloat(string(cell), 64)
	return v, d, err == nil
}

// parseExponent reads an e, a sign and digits. An exponent beyond all that float64 knows is cut, since it is only counted
// with.
func parseExponent(text []byte) (exponent int, ok bool) {
	if text[0] != 'e' && text[0] != 'E' {
		return 0, false
	}
	text = text[1:]
	negative := false
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		negative = text[0] == '-'
		text = text[1:]
	}
	if len(text) == 0 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		exponent = min(10*exponent+int(c-'0'), 1<<20)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, true
}

// scaled returns a mantissa below 2^53 times a power of ten of at most 22 either way, correctly rounded: both are exact
// float64, and there is one operation.
func scaled(mantissa uint64, decimals int) float64 {
	powers := [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}
	if decimals >= 0 {
		return float64(mantissa) / powers[decimals]
	}
	return float64(mantissa) * powers[-decimals]
}

// signed returns v, or -v.
func signed(v float64, negative bool) float64 {
	if negative {
		return -v
	}
	return v
}
