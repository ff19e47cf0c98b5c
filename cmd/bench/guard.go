//go:build !js

package bench

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

const (
	tokenHeader = "X-Breadboard-Token" // of the header that has it
	usualPort   = 80                   // of addresses that name no port
)

// guard says whose requests are answered. If there is no token, the page of another site that a
// browser on this machine shows could ask as well: its requests are told by their Origin or
// Sec-Fetch-Site, and by their Host where the other site's name leads to this machine.
type guard struct {
	token string
	hosts map[string]bool // as they stand in Host; nil if a token is asked for instead
	own   string          // what the cookie is called that holds the token, which depends on the port
}

// newGuard returns the guard of a server that listens at an address.
func newGuard(at net.Addr, token string) guard {
	port := 0
	host := ""
	if tcp, is := at.(*net.TCPAddr); is {
		port, host = tcp.Port, tcp.IP.String()
	}
	g := guard{token: token, own: "breadboard_" + strconv.Itoa(port)}
	if token == "" {
		g.hosts = map[string]bool{}
		for _, name := range []string{"127.0.0.1", "localhost", "::1", host} {
			address := net.JoinHostPort(name, strconv.Itoa(port))
			g.hosts[address] = true
			if port == usualPort { // which browsers leave out
				g.hosts[strings.TrimSuffix(address, ":"+strconv.Itoa(port))] = true
			}
		}
	}
	return g
}

// admit fails if a request must not be answered. Where the token stands in the address of the page,
// it sets a cookie that has it.
func (g guard) admit(w http.ResponseWriter, r *http.Request) error {
	if g.hosts != nil && !g.hosts[r.Host] {
		return failf(http.StatusForbidden,
			"", "the host %q is not this bench; open the address that breadboard serve has printed",
			short(r.Host))
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return failf(http.StatusForbidden, "", "pages of %q may not ask here; open the bench itself", short(origin))
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
	default:
		if !g.followed(r) {
			return failf(http.StatusForbidden, "", "pages of other sites may not ask here; open the bench itself")
		}
	}
	return g.checkToken(w, r)
}

// followed reports whether a request is made because a user follows a link to the page.
func (g guard) followed(r *http.Request) bool {
	to := r.Header.Get("Sec-Fetch-Dest")
	return r.Method == http.MethodGet && r.URL.Path == "/" && r.Header.Get("Sec-Fetch-Mode") == "navigate" &&
		to == "document"
}

// checkToken fails if a token is needed and missing or wrong.
func (g guard) checkToken(w http.ResponseWriter, r *http.Request) error {
	if g.token == "" {
		return nil
	}
	if given := r.URL.Query().Get(tokenName); same(given, g.token) {
		http.SetCookie(w, &http.Cookie{
			Name:     g.own,
			Value:    g.token,
			Path:     "/",
			HttpOnly: true,
			SameSite: http.SameSiteStrictMode,
		})
		return nil
	}
	if same(r.Header.Get(tokenHeader), g.token) {
		return nil
	}
	for _, c := range r.CookiesNamed(g.own) {
		if same(c.Value, g.token) {
			return nil
		}
	}
	return failf(http.StatusForbidden, tokenName,
		"the token is missing or wrong; open the whole address that breadboard serve has printed, or send "+
			"the token in the header %s",
		tokenHeader)
}

// same compares texts in a time that does not depend on where they differ.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// Loopback reports whether an address can be reached only from this machine.
func Loopback(at net.Addr) bool {
	tcp, is := at.(*net.TCPAddr)
	if !is {
		return false
	}
	ip, ok := netip.AddrFromSlice(tcp.IP)
	return ok && ip.Unmap().IsLoopback()
}

// secure sets the headers of every answer.
func (g guard) secure(h http.Header) {
	h.Set("Content-Security-Policy",
		"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src "+
			"'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}
