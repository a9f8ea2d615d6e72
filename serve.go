// Serve builds what is stale and serves dist/ on this machine:
//
//	go run serve.go [-addr host:port] [-open] [-dist folder]
//
// dist/ is plain files that any web server can host; this one shows what such
// a server should do: types, compression made ahead of time, caching, and the
// headers that keep the page to itself while others may embed it.
package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const usage = `Builds what is stale, then serves dist/.

  go run serve.go [-addr host:port] [-open] [-dist folder]

`

func main() {
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	addr := flag.String("addr", "", "`host:port` to listen on (default 127.0.0.1:8080, or the next free port)")
	open := flag.Bool("open", false, "open the page in the browser")
	dist := flag.String("dist", "", "serve this `folder` as it is, without building")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "serve: got %q; want flags only\n\n", flag.Arg(0))
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*addr, *dist, *open); err != nil {
		fmt.Fprintln(os.Stderr, "serve:", err)
		os.Exit(1)
	}
}

func run(addr, dist string, open bool) error {
	if dist == "" {
		if err := build(); err != nil {
			return err
		}
		dist = "dist"
	}
	root, err := os.OpenRoot(dist)
	if err != nil {
		return err
	}
	l, err := listen(addr)
	if err != nil {
		return err
	}

	// Two seconds are enough for the files in flight; after them connections are cut.
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go endWithGoRun(cancel)
	server := &http.Server{Handler: newSite(root.FS()), ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()

	url := "http://" + l.Addr().String() + "/"
	fmt.Printf("RCMDP Lab is at %s (stop with Ctrl+C)\n", url)
	if open {
		if err := openBrowser(url); err != nil {
			fmt.Fprintln(os.Stderr, "serve: no browser was opened:", err)
		}
	}
	select {
	case err := <-done:
		return err
	case <-stop.Done():
	}
	ctx, cancelShutdown := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancelShutdown()
	if err := server.Shutdown(ctx); err != nil {
		return server.Close()
	}
	return nil
}

// build makes what is stale; build.sh decides what that is.
func build() error {
	if _, err := os.Stat("build.sh"); err != nil {
		return errors.New("no build.sh here: run it in the folder that holds serve.go, or name a built site with -dist")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		return errors.New("build.sh needs bash, which is not installed")
	}
	cmd := exec.Command(bash, "build.sh", "build")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build.sh build failed: %w", err)
	}
	return nil
}

// listen listens on addr or, when none was asked for, on the first free port
// from 8080.
func listen(addr string) (net.Listener, error) {
	if addr != "" {
		return net.Listen("tcp", addr)
	}
	const first, last = 8080, 8099
	for port := first; ; port++ {
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return l, nil
		}
		if port == last || !errors.Is(err, syscall.EADDRINUSE) {
			return nil, fmt.Errorf("no free port from %d to %d; name one with -addr: %w", first, last, err)
		}
	}
}

// endWithGoRun stops the server when the `go run` that started it is killed:
// go run passes Ctrl+C on but not SIGTERM, and the port would stay taken.
func endWithGoRun(stop func()) {
	self, err := os.Executable()
	if err != nil || !strings.Contains(self, "go-build") {
		return
	}
	for parent := os.Getppid(); os.Getppid() == parent; {
		time.Sleep(200 * time.Millisecond)
	}
	stop()
}

func openBrowser(url string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", url).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", url).Start()
	default:
		return exec.Command("xdg-open", url).Start()
	}
}

// types are the media types of what dist/ holds, said here because the
// system's own table often lacks wasm and a page cannot start without it.
var types = map[string]string{
	".css":         "text/css; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".json":        "application/json",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".ts":          "text/plain; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json",
	".webp":        "image/webp",
	".xml":         "application/xml",
}

// policy is the content security policy of every file: nothing from another
// origin, no inline code, workers from files or blobs (a sandboxed frame has
// only blobs). Workers obey the policy of their own script, so it is on all.
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data: blob:; worker-src 'self' blob:; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'"

// site serves the files of one folder. It reads a file once and again when it
// has changed, so that a tag always belongs to the bytes it is sent with.
type site struct {
	files fs.FS

	mu    sync.Mutex
	cache map[string]*file // by name
}

type file struct {
	modified time.Time
	data     []byte
	tag      string // of the bytes
}

func newSite(files fs.FS) *site { return &site{files: files, cache: map[string]*file{}} }

// ServeHTTP answers with a file of the site, precompressed where the asker takes it.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")

	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name, ok := fileName(r.URL.Path)
	if !ok {
		s.notFound(w, r)
		return
	}
	if name == "." || strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	} else if s.isFolderWithPage(name) {
		h.Set("Location", path.Base(name)+"/") // relative, so that it holds behind a proxy's prefix
		w.WriteHeader(http.StatusMovedPermanently)
		return
	}
	f, err := s.read(name)
	if err != nil || name == lost {
		s.notFound(w, r)
		return
	}

	ext := path.Ext(name)
	contentType, known := types[ext]
	if !known {
		contentType = "application/octet-stream"
	}
	h.Set("Content-Type", contentType)
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if name == fetches {
		h.Set("Content-Security-Policy", ownPolicy+"; sandbox allow-scripts")
	} else if ext == ".html" && name != "embed.html" {
		h.Set("Content-Security-Policy", policy+"; frame-ancestors 'self'")
	} else {
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	}
	if ext != ".html" {
		h.Set("Access-Control-Allow-Origin", "*")
	}
	encoded, encoding := s.negotiate(name, r)
	if encoding != "" {
		h.Add("Vary", "Accept-Encoding")
	}
	if encoded != nil {
		h.Set("Content-Encoding", encoding)
		h.Set("Content-Length", strconv.Itoa(len(encoded.data)))
		f = encoded
	}
	h.Set("ETag", f.tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
}

// lost is the page for addresses that are of nothing; other hosts know it by this name too.
const lost = "404.html"

// fetches is the page that the lab frames, without rights, to fetch a file from another origin.
const fetches = "fetch.html"

// ownPolicy is for pages whose style and script are within them: their own policies name them by their digests.
const ownPolicy = "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// notFound answers a person with the site's own page, and whatever asks for a file with a sentence.
func (s *site) notFound(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Add("Vary", "Accept")
	f, err := s.read(lost)
	if err != nil || !strings.Contains(r.Header.Get("Accept"), "text/html") {
		http.Error(w, "404: there is no such file", http.StatusNotFound)
		return
	}
	h.Set("Content-Security-Policy", ownPolicy)
	h.Set("Content-Type", types[".html"])
	h.Set("Content-Length", strconv.Itoa(len(f.data)))
	w.WriteHeader(http.StatusNotFound)
	if r.Method != http.MethodHead {
		w.Write(f.data)
	}
}

// fileName is the file that a URL path asks for, and whether it may. Dot
// files, files in the making and compressed twins are not pages of the site;
// what is not a clean path inside it is refused rather than cleaned.
func fileName(urlPath string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(urlPath, "/")
	if !ok {
		return "", false
	}
	rest = strings.TrimSuffix(rest, "/")
	if rest == "" {
		return ".", urlPath == "/"
	}
	if !fs.ValidPath(rest) || strings.ContainsAny(rest, "\\\x00") || strings.HasPrefix(rest, ".") || strings.Contains(rest, "/.") {
		return "", false
	}
	switch path.Ext(rest) {
	case ".br", ".gz", ".part":
		return "", false
	}
	return rest, true
}

func (s *site) isFolderWithPage(name string) bool {
	info, err := fs.Stat(s.files, path.Join(name, "index.html"))
	return err == nil && info.Mode().IsRegular()
}

// negotiate picks the compressed twin that the client takes and says that
// there was a choice by a non-empty encoding. A range is of the plain bytes.
func (s *site) negotiate(name string, r *http.Request) (*file, string) {
	choice := ""
	for _, twin := range []struct{ ext, encoding string }{{".br", "br"}, {".gz", "gzip"}} {
		f, err := s.read(name + twin.ext)
		if err != nil {
			continue
		}
		if choice == "" {
			choice = "identity"
		}
		if r.Header.Get("Range") == "" && accepts(r.Header.Values("Accept-Encoding"), twin.encoding) {
			return f, twin.encoding
		}
	}
	return nil, choice
}

// accepts reports whether an Accept-Encoding header names the encoding, or *,
// with a weight above 0. The first twin accepted is sent: both are better than
// none and the order here is by size.
func accepts(header []string, encoding string) bool {
	any := false
	for item := range strings.SplitSeq(strings.Join(header, ","), ",") {
		coding, parameters, _ := strings.Cut(item, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q="); ok {
			var err error
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				weight = 0
			}
		}
		switch coding {
		case encoding:
			return weight > 0
		case "*":
			any = weight > 0
		}
	}
	return any
}

// read is the file of that name in the state it has now.
func (s *site) read(name string) (*file, error) {
	opened, err := s.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	s.mu.Lock()
	f := s.cache[name]
	s.mu.Unlock()
	if f != nil && f.modified.Equal(info.ModTime()) && int64(len(f.data)) == info.Size() {
		return f, nil
	}
	data, err := io.ReadAll(opened)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	f = &file{modified: info.ModTime(), data: data, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
	s.mu.Lock()
	s.cache[name] = f
	s.mu.Unlock()
	return f, nil
}
