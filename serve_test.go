package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// tree stands for dist/: a page, a folder with and one without a page, assets
// with and without compressed twins, and files that must not be served.
var tree = fstest.MapFS{
	"index.html":              {Data: []byte("<p>plain page")},
	"index.html.br":           {Data: []byte("br page")},
	"index.html.gz":           {Data: []byte("gz page")},
	"embed.html":              {Data: []byte("<p>embed")},
	"guide/index.html":        {Data: []byte("<p>guide")},
	"rcmdp.js":                {Data: []byte("export {}")},
	"rcmdp.d.ts":              {Data: []byte("export {}")},
	"build.json":              {Data: []byte("{}")},
	"assets/a-1234.wasm":      {Data: []byte("\x00asm0123456789")},
	"assets/a-1234.wasm.br":   {Data: []byte("br wasm")},
	"assets/a-1234.wasm.gz":   {Data: []byte("gz wasm")},
	"assets/b-1234.css":       {Data: []byte("p{}")},
	"assets/b-1234.css.gz":    {Data: []byte("gz css")},
	"assets/c-1234.png":       {Data: []byte("png")},
	"assets/d-1234":           {Data: []byte("?")},
	"assets/e-1234.js.part":   {Data: []byte("half")},
	".hidden":                 {Data: []byte("no")},
	"assets/.hidden":          {Data: []byte("no")},
	"service-worker.js":       {Data: []byte("self")},
	"404.html":                {Data: []byte("<p>nothing here")},
	"fetch.html":              {Data: []byte("<script>")},
	"deep/er/index.html":      {Data: []byte("<p>deep")},
	"deep/er/still/x-1234.js": {Data: []byte("1")},
}

func get(t *testing.T, method, target string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "/", nil)
	r.URL.Path = target // not parsed: the path reaches the handler as it is
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	newSite(tree).ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, resp *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTypesAndCaching(t *testing.T) {
	const immutable, revalidate = "public, max-age=31536000, immutable", "no-cache"
	for _, tc := range []struct{ path, contentType, cache string }{
		{"/", "text/html; charset=utf-8", revalidate},
		{"/index.html", "text/html; charset=utf-8", revalidate},
		{"/embed.html", "text/html; charset=utf-8", revalidate},
		{"/guide/", "text/html; charset=utf-8", revalidate},
		{"/rcmdp.js", "text/javascript; charset=utf-8", revalidate},
		{"/rcmdp.d.ts", "text/plain; charset=utf-8", revalidate},
		{"/service-worker.js", "text/javascript; charset=utf-8", revalidate},
		{"/build.json", "application/json", revalidate},
		{"/assets/a-1234.wasm", "application/wasm", immutable},
		{"/assets/b-1234.css", "text/css; charset=utf-8", immutable},
		{"/assets/c-1234.png", "image/png", immutable},
		{"/assets/d-1234", "application/octet-stream", immutable},
	} {
		resp := get(t, "GET", tc.path)
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != tc.contentType || resp.Header.Get("Cache-Control") != tc.cache {
			t.Errorf("%s: %d, %q, %q; want 200, %q, %q", tc.path, resp.StatusCode,
				resp.Header.Get("Content-Type"), resp.Header.Get("Cache-Control"), tc.contentType, tc.cache)
		}
		if resp.Header.Get("ETag") == "" {
			t.Errorf("%s: no ETag", tc.path)
		}
	}
}

func TestEncodings(t *testing.T) {
	const page, css = "/index.html", "/assets/b-1234.css"
	for _, tc := range []struct{ path, accept, encoding, body string }{
		{page, "", "", "<p>plain page"},
		{page, "identity", "", "<p>plain page"},
		{page, "br", "br", "br page"},
		{page, "gzip", "gzip", "gz page"},
		{page, "gzip, deflate, br, zstd", "br", "br page"},
		{page, "GZIP;q=1.0, BR;q=0", "gzip", "gz page"},
		{page, "br;q=0, gzip; q=0", "", "<p>plain page"},
		{page, "br;q=0.001", "br", "br page"},
		{page, "*", "br", "br page"},
		{page, "*, br;q=0", "gzip", "gz page"},
		{page, "br;q=0, *;q=0", "", "<p>plain page"},
		{page, "bro, xgzip", "", "<p>plain page"},
		{page, "br;q=x", "", "<p>plain page"},
		{css, "br, gzip", "gzip", "gz css"}, // no br twin
		{css, "br", "", "p{}"},
		{"/assets/c-1234.png", "br, gzip", "", "png"},
	} {
		resp := get(t, "GET", tc.path, "Accept-Encoding", tc.accept)
		if got := body(t, resp); got != tc.body || resp.Header.Get("Content-Encoding") != tc.encoding {
			t.Errorf("%s, Accept-Encoding %q: %q as %q; want %q as %q", tc.path, tc.accept, got, resp.Header.Get("Content-Encoding"), tc.body, tc.encoding)
		}
		wantVary := "Accept-Encoding"
		if strings.HasSuffix(tc.path, ".png") {
			wantVary = ""
		}
		if got := resp.Header.Get("Vary"); got != wantVary {
			t.Errorf("%s, Accept-Encoding %q: Vary %q; want %q", tc.path, tc.accept, got, wantVary)
		}
	}
}

func TestTagsTellEncodingsApartAndAnswerNotModified(t *testing.T) {
	seen := map[string]string{}
	for _, accept := range []string{"", "gzip", "br"} {
		tag := get(t, "GET", "/index.html", "Accept-Encoding", accept).Header.Get("ETag")
		if other, ok := seen[tag]; ok {
			t.Errorf("encodings %q and %q share the tag %s", accept, other, tag)
		}
		seen[tag] = accept
		resp := get(t, "GET", "/index.html", "Accept-Encoding", accept, "If-None-Match", tag)
		if got := body(t, resp); resp.StatusCode != http.StatusNotModified || got != "" {
			t.Errorf("encoding %q with its own tag: %d %q; want 304 and no body", accept, resp.StatusCode, got)
		}
		if resp.Header.Get("Cache-Control") == "" || resp.Header.Get("Vary") == "" {
			t.Errorf("encoding %q: 304 lost Cache-Control or Vary", accept)
		}
	}
	if resp := get(t, "GET", "/index.html", "If-None-Match", `"old"`); resp.StatusCode != 200 {
		t.Errorf("with an old tag: %d; want 200", resp.StatusCode)
	}
}

func TestRangesAreOfThePlainBytes(t *testing.T) {
	for _, tc := range []struct {
		ranges, body, contentRange string
		status                     int
	}{
		{"bytes=0-3", "\x00asm", "bytes 0-3/14", 206},
		{"bytes=-4", "6789", "bytes 10-13/14", 206},
		{"bytes=12-", "89", "bytes 12-13/14", 206},
		{"bytes=99-", "", "bytes */14", 416},
	} {
		resp := get(t, "GET", "/assets/a-1234.wasm", "Range", tc.ranges, "Accept-Encoding", "br")
		got := body(t, resp)
		if resp.StatusCode != tc.status || resp.Header.Get("Content-Range") != tc.contentRange || (tc.status == 206 && got != tc.body) {
			t.Errorf("Range %s: %d %q %q; want %d %q %q", tc.ranges, resp.StatusCode, resp.Header.Get("Content-Range"), got, tc.status, tc.contentRange, tc.body)
		}
		if e := resp.Header.Get("Content-Encoding"); e != "" {
			t.Errorf("Range %s: encoded as %q; want plain bytes", tc.ranges, e)
		}
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	for _, target := range []string{"/", "/assets/a-1234.wasm", "/embed.html", "/nothing", "/guide"} {
		for _, accept := range []string{"", "gzip", "br"} {
			g, h := get(t, "GET", target, "Accept-Encoding", accept), get(t, "HEAD", target, "Accept-Encoding", accept)
			if g.StatusCode != h.StatusCode {
				t.Errorf("HEAD %s: %d; GET %d", target, h.StatusCode, g.StatusCode)
			}
			for _, name := range []string{"Content-Type", "Content-Length", "Content-Encoding", "ETag", "Vary", "Cache-Control", "Content-Security-Policy", "Location"} {
				if g.Header.Get(name) != h.Header.Get(name) {
					t.Errorf("HEAD %s, %s: %q; GET %q", target, name, h.Header.Get(name), g.Header.Get(name))
				}
			}
			if n := g.Header.Get("Content-Length"); g.StatusCode == 200 && n == "" {
				t.Errorf("GET %s, Accept-Encoding %q: no Content-Length", target, accept)
			}
		}
	}
}

func TestSecurityHeaders(t *testing.T) {
	for _, tc := range []struct {
		path                 string
		frameable, otherUses bool // by pages of other origins
	}{
		{"/", false, false},
		{"/guide/", false, false},
		{"/embed.html", true, false},
		{"/rcmdp.js", true, true},
		{"/assets/a-1234.wasm", true, true},
		{"/assets/b-1234.css", true, true},
		{"/nothing", true, false},
	} {
		h := get(t, "GET", tc.path).Header
		csp := h.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'self'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self' blob:", "connect-src 'self'", "style-src 'self'"} {
			if !strings.Contains(csp, want) {
				t.Errorf("%s: policy lacks %q: %s", tc.path, want, csp)
			}
		}
		if strings.Contains(csp, "unsafe-inline") || strings.Contains(csp, "'unsafe-eval'") {
			t.Errorf("%s: policy allows inline code: %s", tc.path, csp)
		}
		if got := !strings.Contains(csp, "frame-ancestors"); got != tc.frameable {
			t.Errorf("%s: frameable %v; want %v", tc.path, got, tc.frameable)
		}
		if got := h.Get("Access-Control-Allow-Origin") == "*"; got != tc.otherUses {
			t.Errorf("%s: open to other origins %v; want %v", tc.path, got, tc.otherUses)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") == "" {
			t.Errorf("%s: nosniff %q, referrer policy %q", tc.path, h.Get("X-Content-Type-Options"), h.Get("Referrer-Policy"))
		}
		if v := h.Get("Cross-Origin-Embedder-Policy") + h.Get("Cross-Origin-Opener-Policy"); v != "" {
			t.Errorf("%s: isolation header %q; an isolated page cannot host ordinary frames", tc.path, v)
		}
	}
	if got := get(t, "GET", "/embed.html").Header.Get("Cross-Origin-Resource-Policy"); got != "cross-origin" {
		t.Errorf("embed.html: Cross-Origin-Resource-Policy %q; want cross-origin", got)
	}
}

func TestWhatIsNotServed(t *testing.T) {
	for _, target := range []string{
		"/nothing", "/assets", "/assets/", "/deep", "/deep/", "/guide/nothing.html",
		"/../serve.go", "/..", "/assets/../../serve.go", "/assets/../index.html", "/./index.html", "/a/./b",
		"//index.html", "/guide//index.html", "/index.html/", "/index.html//", "//", "/guide//", "index.html", "",
		`/..\serve.go`, `/assets\a-1234.wasm`, "/index.html\x00", "/index.html\x00.js",
		"/.hidden", "/assets/.hidden", "/.git/config", "/index.html.br", "/index.html.gz", "/assets/e-1234.js.part",
		"/%2e%2e/serve.go", "/C:/Windows",
	} {
		resp := get(t, "GET", target)
		if resp.StatusCode != http.StatusNotFound {
			t.Errorf("%q: %d %q; want 404", target, resp.StatusCode, body(t, resp))
		}
		if resp.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%q: a 404 with Cache-Control %q", target, resp.Header.Get("Cache-Control"))
		}
	}
}

func TestAPersonWhoIsLostGetsAPage(t *testing.T) {
	for _, target := range []string{"/nothing", "/deep/er/and/deeper", "/guide/nothing.html", "/assets/old-1234.js", "/404.html"} {
		for accept, want := range map[string]string{"text/html,application/xhtml+xml,*/*;q=0.8": "<p>nothing here", "*/*": "404: there is no such file\n"} {
			resp := get(t, "GET", target, "Accept", accept)
			if got := body(t, resp); resp.StatusCode != http.StatusNotFound || got != want {
				t.Errorf("%s for %s: %d %q; want 404 %q", target, accept, resp.StatusCode, got, want)
			}
			if vary := resp.Header.Get("Vary"); vary != "Accept" {
				t.Errorf("%s: Vary %q; the answer depends on Accept", target, vary)
			}
		}
	}
	page := get(t, "GET", "/nothing", "Accept", "text/html")
	policy := page.Header.Get("Content-Security-Policy")
	if strings.Contains(policy, "-src") || !strings.Contains(policy, "frame-ancestors 'self'") {
		t.Errorf("policy %q; want one that leaves the page's parts to the page", policy)
	}
	if head := get(t, "HEAD", "/nothing", "Accept", "text/html"); head.StatusCode != http.StatusNotFound || body(t, head) != "" {
		t.Errorf("HEAD: %d with a body", head.StatusCode)
	}
}

func TestThePageThatFetchesHasNoRights(t *testing.T) {
	policy := get(t, "GET", "/fetch.html").Header.Get("Content-Security-Policy")
	if strings.Contains(policy, "-src") || !strings.Contains(policy, "sandbox allow-scripts") || !strings.Contains(policy, "frame-ancestors 'self'") {
		t.Errorf("policy %q; want no origin, no stranger's frame, and the rest left to the page", policy)
	}
}

func TestFolderWithAPageIsRedirectedToItsSlash(t *testing.T) {
	for target, want := range map[string]string{"/guide": "guide/", "/deep/er": "er/"} {
		resp := get(t, "GET", target)
		if got := resp.Header.Get("Location"); resp.StatusCode != http.StatusMovedPermanently || got != want {
			t.Errorf("%s: %d to %q; want 301 to %q", target, resp.StatusCode, got, want)
		}
	}
}

func TestOtherMethodsAreRefused(t *testing.T) {
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"} {
		resp := get(t, method, "/")
		if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %d, Allow %q; want 405 with the allowed methods", method, resp.StatusCode, resp.Header.Get("Allow"))
		}
	}
}

// A real folder, because only it has links, changing files and raw requests.
func TestFolderOnDisk(t *testing.T) {
	outside := t.TempDir()
	dist := filepath.Join(outside, "dist")
	if err := os.Mkdir(dist, 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("secret.txt", "secret")
	write("dist/a.txt", "one")
	if err := os.Symlink("../secret.txt", filepath.Join(dist, "link.txt")); err != nil {
		t.Logf("no links on this system: %v", err)
	}
	root, err := os.OpenRoot(dist)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	server := httptest.NewServer(newSite(root.FS()))
	defer server.Close()

	fetch := func(target string) (int, string, string) {
		t.Helper()
		resp, err := http.Get(server.URL + target)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode, body(t, resp), resp.Header.Get("ETag")
	}
	for _, target := range []string{"/link.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%5c..%5csecret.txt", "/a.txt%00"} {
		if status, text, _ := fetch(target); status != 404 || strings.Contains(text, "secret") {
			t.Errorf("%s: %d %q; want 404", target, status, text)
		}
	}
	_, text, tag := fetch("/a.txt")
	write("dist/b.txt", "two, longer")
	if err := os.Rename(filepath.Join(dist, "b.txt"), filepath.Join(dist, "a.txt")); err != nil {
		t.Fatal(err)
	}
	_, newText, newTag := fetch("/a.txt")
	if text != "one" || newText != "two, longer" || tag == newTag {
		t.Errorf("a rebuilt file: %q %s, then %q %s; want the new text under a new tag", text, tag, newText, newTag)
	}
}

func TestListenTakesTheNextFreePort(t *testing.T) {
	a, err := listen("")
	if err != nil {
		t.Skip("every default port is taken:", err)
	}
	defer a.Close()
	b, err := listen("")
	if err != nil {
		t.Skip("every default port is taken:", err)
	}
	defer b.Close()
	if a.Addr().String() == b.Addr().String() {
		t.Errorf("two listeners at %s", a.Addr())
	}
	if c, err := listen(a.Addr().String()); err == nil {
		c.Close()
		t.Errorf("a port that was asked for and is taken, %s, was replaced by %s", a.Addr(), c.Addr())
	}
}
