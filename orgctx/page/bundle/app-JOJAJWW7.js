import{b as G}from"./chunk-OOJM4CTU.js";var w,Gt,nr,Z,Ye,Me,Zt,qe,Qt,tt,et,rr,ve=Symbol.for("pv"),Ne={},Pe=[],or=/^m(i|n|o|s|text|space)$/,nt=Array.isArray,rt=Pe.slice,ae=Object.assign;function se(e){e&&e.parentNode&&e.remove()}function Yt(e,t,n){var r,s,o,c={},i=arguments.length;for(o in t)o=="key"?r=t[o]:o=="ref"&&typeof e!="function"?s=t[o]:c[o]=t[o];return i>2&&(c.children=i>3?rt.call(arguments,2):n),ge(e,c,r,s,null)}function ge(e,t,n,r,s){var o={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ve,__v:s||++Gt,__i:-1,__u:0};return!s&&w.vnode&&w.vnode(o),o}function Re(e){return e.children}function ie(e,t){this.props=e,this.context=t,this.__g=0}function Q(e,t){if(t==null)return e.__&&Q(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Q(e)}function sr(e){var t,n=e.__v,r=n.__e,s=[],o=[],c=e.__P;c&&((t=ae({constructor:ve},n)).__v=n.__v+1,w.vnode&&w.vnode(t),ot(c,t,n,e.__n,c.namespaceURI,32&n.__u?[r]:null,s,r||Q(n),32&n.__u,o),t.__v=n.__v,t.__.__k[t.__i]=t,sn(s,t,o),n.__=n.__e=null,t.__e!=r&&en(t))}function en(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),en(e)}function Jt(e){(8&e.__g||(e.__g|=8,Z.push(e),Me++))&&Ye==w.debounceRendering||((Ye=w.debounceRendering)||queueMicrotask)(tn)}function tn(){try{for(var e,t=1;Z.length;)Z.length>t&&Z.sort(Zt),e=Z.shift(),t=Z.length,8&e.__g&&sr(e)}finally{(Me=Z.length)&&(Ye||queueMicrotask)(tn)}}function nn(e,t,n,r,s,o,c,i,p,d,l){var m,f,u,h,k,g,$=r.__k||Pe,v=t.length;for(p=ar(n,t,$,p,v),m=0;m<v;m++)(u=n.__k[m])!=null&&(f=~u.__i&&$[u.__i]||Ne,u.__i=m,g=ot(e,u,f,s,o,c,i,p,d,l),h=u.__e,(f.ref!=u.ref||8&f.__u)&&(f.ref&&st(f.ref,null,u,f),u.ref&&l.push(u.ref,u.__c||h,u)),k=k||h,4&u.__u?(p=rn(u,p,e,!f.__v),f.__e&&(f.__e=null)):typeof u.type=="function"&&g!==void 0?p=g:h&&(p=h.nextSibling),u.__u&=-21);return n.__e=k,p}function ar(e,t,n,r,s){var o,c,i,p,d,l,m,f,u,h=n.length,k=h,g=0,$=0,v=e.__k=Array(s);for(o=0;o<s;o++)(c=t[o])!=null&&typeof c!="boolean"&&typeof c!="function"?(typeof c!="object"||c.constructor===String?c=v[o]=ge(null,c):nt(c)?c=v[o]=ge(Re,{children:c}):c.constructor===ve&&c.__b?c=v[o]=ge(c.type,c.props,c.key,c.ref,c.__v):v[o]=c,p=o+g,c.__=e,c.__b=e.__b+1,i=null,~(d=c.__i=ir(c,n,p,k))&&(k--,(i=n[d])&&(i.__u|=2)),i&&i.__v?(c.__u|=16,d==p-1?g--:d==p+1?g++:d!=p&&(d>p?g--:g++,$=1)):(~d||(s>h?g--:s<h&&g++),typeof c.type!="function"&&(c.__u|=4))):v[o]=null;if($){for(l=[],m=[],o=0;o<s;o++)if((c=v[o])&&16&c.__u){for(g=0,f=l.length;g<f;)l[u=g+f>>1]<c.__i?g=u+1:f=u;l[g]=c.__i,m[o]=g+1}for(g=l.length;o--;)m[o]&&(m[o]==g?g--:v[o].__u|=4)}if(k)for(o=0;o<h;o++)!(i=n[o])||2&i.__u||(i.__e==r&&(r=Q(i)),at(i,i));return r}function rn(e,t,n,r){var s,o,c,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(s=e.__k)for(o=0;o<s.length;o++)s[o]&&(s[o].__=e,t=rn(s[o],t,n,!1));return t}for(t&&!t.parentNode&&(t=Q(e))&&!t.parentNode&&(t=null),c=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(c!=i&&(!r&&n.moveBefore&&c.parentNode?n.moveBefore(c,t):n.insertBefore(c,t||null)),t=c;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ir(e,t,n,r){var s,o=e.key,c=e.type,i=t[n],p=i&&!(2&i.__u);if(i===null&&o==null||p&&o==i.key&&c==i.type)return n;if(r>(p?1:0)){for(s=n-1;s>=0;s--)if((i=t[s])&&!(2&i.__u)&&o==i.key&&c==i.type)return s;for(s=n+1;s<t.length;s++)if((i=t[s])&&!(2&i.__u)&&o==i.key&&c==i.type)return s}return-1}function Xt(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Ae(e,t,n,r,s){var o,c;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Xt(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Xt(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(c=et[t]||(et[t]=cr(t)),(e.__a||(e.__a={}))[t]=tt,o=t!=(t=t.replace(Qt,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,c,o):e.removeEventListener(t,c,o));else{if(s=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function cr(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[qe]==null)t[qe]=tt++;else if(t[qe]<this.__a[e])return;return n(w.event?w.event(t):t)}}}function ot(e,t,n,r,s,o,c,i,p,d){var l,m,f,u,h,k,g,$,v,E,C,Qe,Vt,Oe,re,Kt,X,oe,K=t.type;if(t.constructor!==ve)return null;128&n.__u&&(p=32&n.__u,l=n.__c.__z)&&(t.__u|=p,m=o=[],l.nodeType==8?i=Ee(l,o):o.push(l),i=o[0]||i),(l=w.__b)&&l(t);e:if(typeof K=="function"){f=c.length;try{if($=t.props,v=(l=K.prototype)&&l.render,E=(l=K.contextType)&&r[l.__c],C=l?E?E.props.value:l.__:r,(u=n.__c)?(t.__c=u,2&u.__g&&(u.__g|=1)):(v?t.__c=u=new K($,C):(t.__c=u=new ie($,C),u.constructor=K,u.render=ur),E&&E.sub(u),u.state||(u.state={}),u.__n=r,u.__g|=8,u.__h=[],u.__k=[]),v&&(u.__s||(u.__s=u.state),K.getDerivedStateFromProps&&(u.__s==u.state&&(u.__s=ae({},u.__s)),ae(u.__s,K.getDerivedStateFromProps($,u.__s)))),h=u.props,k=u.state,u.__v=t,n.__c){if($!==h&&v&&!K.getDerivedStateFromProps&&u.componentWillReceiveProps&&u.componentWillReceiveProps($,C),t.__v==n.__v&&!(8&u.__g)||!(4&u.__g)&&u.shouldComponentUpdate&&u.shouldComponentUpdate($,u.__s,C)===!1){t.__v!=n.__v&&(u.props=$,u.state=u.__s,u.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(B){B&&(B.__=t)}),Pe.push.apply(u.__h,u.__k),u.__k=[],u.__h.length&&c.push(u),i=Q(n);break e}u.componentWillUpdate&&u.componentWillUpdate($,u.__s,C),v&&u.componentDidUpdate&&u.__h.push(function(){u.componentDidUpdate(h,k,g)})}else v&&!K.getDerivedStateFromProps&&u.componentWillMount&&u.componentWillMount(),v&&u.componentDidMount&&u.__h.push(u.componentDidMount);u.context=C,u.props=$,u.__P=e,u.__g&=-5,Qe=w.__r,Vt=v?25:0;do u.__g&=-9,Qe&&Qe(t),l=u.render(u.props,u.state=u.__s,u.context);while(8&u.__g&&++Vt<25);v&&(Pe.push.apply(u.__h,u.__k),u.__k=[]),u.state=u.__s,u.getChildContext&&(r=ae({},r,u.getChildContext())),v&&n.__c&&u.getSnapshotBeforeUpdate&&(g=u.getSnapshotBeforeUpdate(h,k)),Oe=l&&l.type===Re&&l.key==null?l.props.children:l,$.__P&&(l=i,s=(e=$.__P).namespaceURI,p=o=null,n.props&&n.props.__P!=e&&(n.__k.some(function(B){B&&at(B,B)}),n.__k=null),i=n.__k?Q(n,0):null),i=nn(e,nt(Oe)?Oe:[Oe],t,n,r,s,o,c,i,p,d),$.__P&&(t.__e=null,i=l),t.__u&=-161,m&&m.some(se),u.__h.length&&c.push(u),1&u.__g&&(u.__g&=-4)}catch(B){if(c.length=f,t.__v=null,p||o)if(B&&B.then){if(t.__u|=128|p,o){for(~(X=o.indexOf(i||void 0))||(X=o.length);(oe=o[X-1])&&oe.nodeType==8;)X--;for(;X<o.length;X++)if(oe=o[X])if(o[X]=null,re){if(oe==Kt)break}else{if(oe.nodeType!=8)break;oe.data.startsWith("$s")&&(Kt=Ee(re=oe))}}if(!re){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;re=i}(l=Ee(re=t.__c.__z||(t.__c.__z=re)))?(t.__e=re,i=l):t.__e=i,i=i&&i.nextSibling}else o&&o.some(se);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),B&&B.then||on(t),w.__e(B,t,n)}}else i=t.__e=lr(n.__e,t,n,r,s,o,c,p,d,e);return(l=w.diffed)&&l(t),i}function Ee(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function on(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(on))}function sn(e,t,n){for(var r=0;r<n.length;)st(n[r++],n[r++],n[r++]);w.__c&&w.__c(t,e),e.some(function(s){try{e=s.__h,s.__h=[],e.some(function(o){o.call(s)})}catch(o){w.__e(o,s.__v)}})}function lr(e,t,n,r,s,o,c,i,p,d){var l,m,f,u,h,k,g,$,v=n.props||Ne,E=t.props,C=t.type;if(C=="svg"?s="http://www.w3.org/2000/svg":C=="math"?s="http://www.w3.org/1998/Math/MathML":s||(s="http://www.w3.org/1999/xhtml"),o){for(l=0;l<o.length;l++)if((h=o[l])&&(C?h.localName==C:h.nodeType==3)){e=h,o[l]=null;break}}if(!e){if($=d.ownerDocument||document,!C)return $.createTextNode(E);e=$.createElementNS(s,C,E.is?E:d),i&&(w.__m&&w.__m(t,o),i=!1),o=null}if(C){if(d=C=="template"&&e.content||e,o=C=="textarea"&&E.defaultValue!=null?null:o&&rt.call(d.childNodes),!i&&o)for(v={},l=0;l<e.attributes.length;l++)v[(h=e.attributes[l]).name]=h.value;for(l in v)h=v[l],l=="dangerouslySetInnerHTML"?f=h:l=="children"||l in E||l=="value"&&"defaultValue"in E||l=="checked"&&"defaultChecked"in E||Ae(e,l,null,h,s);for(l in E)h=E[l],l=="children"?u=h:l=="dangerouslySetInnerHTML"?m=h:l=="value"?k=h:l=="checked"?g=h:i&&typeof h!="function"||v[l]===h||Ae(e,l,h,v[l],s);m?(i||f&&(m.__html==f.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(f&&(e.textContent=""),(C=="foreignObject"||s=="http://www.w3.org/1998/Math/MathML"&&or.test(C))&&(s="http://www.w3.org/1999/xhtml"),nn(d,nt(u)?u:[u],t,n,r,s,o,c,o?o[0]:n.__k&&Q(n,0),i,p),o&&o.some(se)),i&&C!="textarea"||(l="value",C=="progress"&&k==null?e.removeAttribute(l):k==null||k===e[l]&&(C!="progress"||k)||Ae(e,l,k,v[l],s),l="checked",g!=null&&g!=e[l]&&Ae(e,l,g,v[l],s))}else v===E||i&&e.data==E||(e.data=E);return e}function st(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(s){w.__e(s,n)}}function at(e,t,n){var r,s,o,c;if(w.unmount&&w.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||st(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(i){w.__e(i,t)}r.__P=r.__n=null}if(r=e.__k)for(c=0;c<r.length;c++)r[c]&&at(r[c],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(s=Ee(r,o=[]))&&(r==e.__e&&o.some(se),se(s),se(r)),n||se(e.__e),e.__e=e.__c=e.__=null}function ur(e,t,n){return this.constructor(e,n)}function it(e,t){var n,r,s,o;w.__&&w.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=ge(Re,{children:[e]}),s=[],o=[],ot(t,t.__k,r||Ne,Ne,t.namespaceURI,r?null:t.firstChild?rt.call(t.childNodes):null,s,r?r.__e:t.firstChild,n,o),sn(s,t.__k,o),t.__k.props.children=null}w={__e:function(e,t,n,r){for(var s,o,c;t=t.__;)if((s=t.__c)&&!(1&s.__g)){s.__g|=4;try{if((c=(o=s.constructor)&&o.getDerivedStateFromError)&&s.setState(o.getDerivedStateFromError(e)),s.componentDidCatch&&(s.componentDidCatch(e,r||{}),c=1),c&&8&s.__g)return void(s.__g|=2)}catch(i){e=i}}throw Me=0,e}},Gt=0,nr=function(e){return e!=null&&e.constructor===ve},ie.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=ae({},this.state)),typeof e=="function"&&(e=e(ae({},n),this.props)),e&&(ae(n,e),this.__v&&(t&&this.__k.push(t),Jt(this)))},ie.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),Jt(this))},ie.prototype.render=Re,Z=[],Me=0,Zt=function(e,t){return e.__v.__b-t.__v.__b},qe=Symbol(),Qt=/(PointerCapture)$|Capture$/i,tt=0,et={},rr=0;var cn=function(e,t,n,r){var s;t[0]=0;for(var o=1;o<t.length;o++){var c=t[o++],i=t[o]?(t[0]|=c?1:2,n[t[o++]]):t[++o];c===3?r[0]=i:c===4?r[1]=Object.assign(r[1]||{},i):c===5?(r[1]=r[1]||{})[t[++o]]=i:c===6?r[1][t[++o]]+=i+"":c?(s=e.apply(i,cn(e,i,n,["",null])),r.push(s),i[0]?t[0]|=2:(t[o-2]=0,t[o]=s)):r.push(i)}return r},an=new Map;function ln(e){var t=an.get(this);return t||(t=new Map,an.set(this,t)),(t=cn(this,t.get(e)||(t.set(e,t=(function(n){for(var r,s,o=1,c="",i="",p=[0],d=function(f){o===1&&(f||(c=c.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?p.push(0,f,c):o===3&&(f||c)?(p.push(3,f,c),o=2):o===2&&c==="..."&&f?p.push(4,f,0):o===2&&c&&!f?p.push(5,0,!0,c):o>=5&&((c||!f&&o===5)&&(p.push(o,0,c,s),o=6),f&&(p.push(o,f,0,s),o=6)),c=""},l=0;l<n.length;l++){l&&(o===1&&d(),d(l));for(var m=0;m<n[l].length;m++)r=n[l][m],o===1?r==="<"?(d(),p=[p],o=3):c+=r:o===4?c==="--"&&r===">"?(o=1,c=""):c=r+c[0]:i?r===i?i="":c+=r:r==='"'||r==="'"?i=r:r===">"?(d(),o=1):o&&(r==="="?(o=5,s=c,c=""):r==="/"&&(o<5||n[l][m+1]===">")?(d(),o===3&&(p=p[0]),o=p,(p=p[0]).push(2,0,o),o=0):r===" "||r==="	"||r===`
`||r==="\r"?(d(),o=2):c+=r),o===3&&c==="!--"&&(o=4,p=p[0])}return d(),p})(e)),t),arguments,[])).length>1?t:t[0]}var pe,M,ct,un,lt=Object.is,be=0,vn=[],ut=[],q=w,pn=q.__b,dn=q.__r,fn=q.diffed,mn=q.__c,$n=q.unmount,hn=q.__;function Ie(e,t){q.__h&&q.__h(M,e,be||t),be=0;var n=M.__H||(M.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function y(e){return be=1,pr(bn,e)}function pr(e,t,n){var r=Ie(pe++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):bn(void 0,t),function(o){var c=(r.__N||r.__)[0],i=r.t(c,o);lt(c,i)||(r.__N=[i,r.__[1]],r.__c.setState({}))}],r.__c=M,!M.__f)){M.__f=!0;var s=M.shouldComponentUpdate;M.shouldComponentUpdate=function(o,c,i){var p=this.__H;if(!p)return!0;var d=!1,l=this.props!=o;if(p.__.some(function(f){f.__N&&(d=!0,lt(f.__[0],f.__N[0])||(l=!0))}),s){var m=s.call(this,o,c,i);return d?m||l:m}return!d||l}}return r.__}function T(e,t){var n=Ie(pe++,3);!q.__s&&dt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,M.__H.__h.push(n))}function we(e,t){var n=Ie(pe++,4);!q.__s&&dt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,M.__h.push(n))}function O(e){return be=5,yn(function(){return{current:e}},[])}function yn(e,t){var n=Ie(pe++,7);return dt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Le(e,t){return be=8,yn(function(){return e},t)}function dr(){var e;do{for(;e=ut.shift();)try{ye(e)}catch(n){q.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=vn.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(ye),t.__h.some(pt),t.__h=[]}catch(n){t.__h=[],q.__e(n,e.__v)}}}while(ut.length)}q.__b=function(e){M=null,pn&&pn(e)},q.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),hn&&hn(e,t)},q.__r=function(e){dn&&dn(e),pe=0;var t=(M=e.__c).__H;t&&(ct==M?M.__h=[]:(t.__h.some(ye),t.__h.some(pt),pe=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),ct=M},q.diffed=function(e){fn&&fn(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&gn(vn.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),ct=M=null},q.__c=function(e,t){t.some(function(n){try{n.__h.some(ye),n.__h=n.__h.filter(function(r){return!r.__||pt(r)})}catch(r){n.__h=[function(){throw r}]}}),mn&&mn(e,t)},q.unmount=function(e){$n&&$n(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(s){try{if(s.__P&&s.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}s.__P=n,gn(ut.push(s))}else ye(s)}catch(o){t=o}}),r.__H=void 0,t&&q.__e(t,r.__v))};var _n=typeof requestAnimationFrame=="function";function fr(e){var t,n=function(){clearTimeout(r),_n&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);_n&&(t=requestAnimationFrame(n))}function gn(e){e!=1&&un==q.requestAnimationFrame||((un=q.requestAnimationFrame)||fr)(dr)}function ye(e){var t=M,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),M=t}function pt(e){var t=M;e.__c=e.__(),M=t}function dt(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!lt(n,e[r])})}function bn(e,t){return typeof t=="function"?t(e):t}var a=ln.bind(Yt);var z=class{#e=new Set;constructor(t){this.value=t}set(t){this.value=t;for(let n of[...this.#e])n(t)}watch(t){return this.#e.add(t),()=>this.#e.delete(t)}};function b(e){let[t,n]=y(e.value);return T(()=>(n(e.value),e.watch(n)),[e]),t}var ft=document.querySelector('meta[name="orgctx-key"]'),H=ft&&{name:ft.content,...ft.dataset};var L=new z(mt(location.hash));addEventListener("hashchange",()=>L.set(mt(location.hash)));function _(e,t="",n=[],r={}){let s=[e,t,...n].filter(Boolean).map(encodeURIComponent).join("/"),o=Object.entries(r).filter(([,i])=>i!=null&&i!==""),c=new URLSearchParams(o).toString();return`#/${s}${c&&`?${c}`}`}function R(e){let{area:t,view:n,values:r,query:s}=L.value;history.replaceState(null,"",_(t,n,r,{...s,...e})),L.set(mt(location.hash))}function mt(e){let[t,n=""]=e.replace(/^#\/?/,"").split("?"),[r="",s="",...o]=t.split("/").map($t);return{area:r||(H?"explore":"start"),view:s,values:o,query:Object.fromEntries(new URLSearchParams(n))}}function $t(e){try{return decodeURIComponent(e)}catch{return e}}var ht=await fetch(document.querySelector("link[rel=preload][as=fetch]").href);if(!ht.ok)throw new Error(`service.json: ${ht.status}`);var x=await ht.json();x.baseUrl||=location.origin;for(let e of x.clients)e.configuration=e.configuration.replaceAll(x.exampleUrl,x.baseUrl);var mr=new Map(x.operations.map(e=>[e.name,e])),$r=x.operations.map(e=>[new RegExp(`^/api/v1${e.path.replace(/\{\w+\}/g,"([^/]+)")}$`),e]);function xe(e){return mr.get(e)}function wn(e,t){let n=e.path,r=new URLSearchParams;for(let[o,{path:c}]of Object.entries(e.arguments)){let i=t[o];c?n=n.replace(`{${c}}`,encodeURIComponent(i)):kn(i)||r.set(o,i)}let s=r.toString();return`/api/v1${n}${s&&`?${s}`}`}function xn(e,t){let n=Object.entries(e.arguments).filter(([r])=>!kn(t[r]));return Object.fromEntries(n.map(([r,{type:s}])=>[r,hr(t[r],s)]))}function De(e){if(!e?.startsWith("/api/v1/"))return null;let[t,n=""]=e.split("?");for(let[r,s]of $r){let o=r.exec(t);if(o)return{operation:s,values:o.slice(1).map($t),query:new URLSearchParams(n)}}return null}function kn(e){return e==null||e===""}function hr(e,t){return t==="integer"?Number(e):t==="boolean"?e===!0||e==="true":String(e)}var _r=60,gr=12,vr=H?"manual":"follow",fe=null,ce=new Map,V=new z(H!==null),Fe=new z(null),je=new z(H?.scopes.split(" ")??null),de=new z(0),le=new z([]);function Sn(e){ke(),fe=e,V.set(!0),Y("get_context").catch(()=>{})}function ke(){fe=null,ce.clear(),Fe.set(null),je.set(null),le.set([]),V.set(!1)}var _t=class extends Error{constructor(t){super(t.body?.error?.message??""),this.exchange=t,this.status=t.status}};async function Y(e,t={},n=void 0){let r=xe(e),s=wn(r,t),o=ce.get(s),c=fe,i=performance.now(),p={operation:r,args:t,path:s,status:0,milliseconds:0,body:null,etag:null},d;de.set(de.value+1);try{d=await fetch(s.slice(1),{headers:yr(o),cache:"no-store",redirect:vr,signal:n}),d.type==="opaqueredirect"&&location.reload(),p.status=d.status,p.body=d.status===304?o.body:await d.json()}catch(l){if(l.name==="AbortError")throw l}finally{de.set(de.value-1)}if(fe!==c)throw new DOMException("The key has changed.","AbortError");if(p.milliseconds=Math.round(performance.now()-i),d&&br(p,d),le.set([p,...le.value].slice(0,gr)),p.status!==200&&p.status!==304)throw new _t(p);return p.body.data.grantedScopes&&je.set(p.body.data.grantedScopes),wr(s,p),p}function yr(e){return{Accept:"application/json",...fe&&{Authorization:`Bearer ${fe}`},...e&&{"If-None-Match":e.etag}}}function br(e,{headers:t}){let n=r=>t.has(r)?Number(t.get(r)):void 0;e.etag=t.get("ETag"),e.requestId=t.get("X-Request-Id"),t.has("RateLimit-Limit")&&(e.quota={limit:n("RateLimit-Limit"),remaining:n("RateLimit-Remaining"),resetAt:Date.now()+1e3*n("RateLimit-Reset")},Fe.set(e.quota))}function wr(e,{etag:t,body:n}){ce.delete(e),ce.set(e,{etag:t,body:n}),ce.size>_r&&ce.delete(ce.keys().next().value)}var Ue={body:null,error:null,isLoading:!1};function P(e,t){let[n,r]=y({...Ue,isLoading:t!==null}),[s,o]=y(0),c=b(V),i=t&&JSON.stringify(t);T(()=>{if(i===null||!c)return r(Ue);let d=new AbortController;return r(l=>({...l,error:null,isLoading:!0})),Y(e,JSON.parse(i),d.signal).then(({body:l})=>r({...Ue,body:l}),l=>l.name!=="AbortError"&&r({...Ue,error:l})),()=>d.abort()},[e,i,s,c]);let p=Le(()=>o(d=>d+1),[]);return{...n,retry:p}}function me(e,t,n){let[r,s]=y({bodies:[],error:null,isLoading:!0,nextArgs:null}),o=O(null),c=JSON.stringify(t),i=Le(({signal:d},l,m)=>{s({bodies:m,error:null,isLoading:!0,nextArgs:l}),Y(e,l,d).then(({body:f})=>s({bodies:[...m,f],error:null,isLoading:!1,nextArgs:n(f,l)}),f=>f.name!=="AbortError"&&s({bodies:m,error:f,isLoading:!1,nextArgs:l}))},[e]);T(()=>(o.current=new AbortController,i(o.current,JSON.parse(c),[]),()=>o.current.abort()),[i,c]);let p=()=>{!r.isLoading&&r.nextArgs&&i(o.current,r.nextArgs,r.bodies)};return{...r,hasMore:r.nextArgs!==null,more:p}}function ee(e,t=250){let[n,r]=y(e);return T(()=>{let s=setTimeout(()=>r(e),t);return()=>clearTimeout(s)},[e,t]),n}function He(e){let[t,n]=y({module:null});if(T(()=>{e().then(r=>n({module:r}),r=>n({error:r}))},[]),t.error)throw t.error;return t.module}function Cn(e,t){let n=O(null),r=O(e);return r.current=e,T(()=>{if(!t||!n.current)return;let s=new IntersectionObserver(o=>o.some(c=>c.isIntersecting)&&r.current(),{rootMargin:"400px"});return s.observe(n.current),()=>s.disconnect()}),n}function Tn(e){T(()=>()=>le.set([]),[e])}var xr=/^octx_[0-9A-Za-z]{40}$/,kr="This is not an API key. Paste the whole key: octx_ and 40 letters and digits.";function $e({onDone:e,action:t="Explore"}){let n=O(null),[r,s]=y("");return a`<form class="key" onSubmit=${c=>{c.preventDefault();let i=n.current.value.trim();return n.current.value="",xr.test(i)?(s(""),Sn(i),e?.()):s(kr)}} autocomplete="off">
    <label>API key
      <input ref=${n} type="password" autocomplete="off" autocapitalize="off" spellcheck="false" required
        placeholder="octx_…" aria-describedby="key-note" aria-invalid=${r?"true":"false"} />
    </label>
    <button type="submit" class="primary">${t}</button>
    <p id="key-note" class="quiet">${r?a`<span class="error" role="alert">${r}</span>`:"The key stays in the memory of this page until you reload it."}</p>
  </form>`}var Sr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium"}),Cr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),Tr=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Or=new Intl.RelativeTimeFormat(void 0,{numeric:"auto"}),Ar=new Intl.NumberFormat(void 0,{notation:"compact",maximumFractionDigits:1}),qr=new Intl.NumberFormat(void 0,{maximumFractionDigits:6}),Er=new Intl.NumberFormat(void 0,{maximumSignificantDigits:3}),Mr=[["year",31557600],["month",2629800],["week",604800],["day",86400],["hour",3600],["minute",60],["second",1]],he=e=>t=>t==null?"unknown":e(t),W=he(e=>Sr.format(new Date(e))),J=he(e=>Cr.format(new Date(e))),gt=he(e=>Tr.format(new Date(e))),vt=he(e=>Ar.format(e)),j=he(e=>(e&&Math.abs(e)<.001?Er:qr).format(e)),Be=e=>e?vt(e):"unknown",yt=e=>Math.max(0,(Date.now()-new Date(e))/1e3);function On(e){let[t,n]=Nn(yt(e));return Or.format(-n,t)}function An(e){let[t,n]=Nn(e*1.001);return`${n} ${t}${n===1?"":"s"}`}var Se=he(e=>{let t=e<1e3?0:Math.min(4,Math.floor(Math.log10(e)/3)),n=e/1e3**t;return`${t&&n<10?n.toFixed(1):Math.round(n)} ${["B","kB","MB","GB","TB"][t]}`});function qn(e){return`${Math.floor(e/60)}:${String(e%60).padStart(2,"0")}`}var En=e=>e.replace(/\B(?=(\d{3})+$)/g," "),Mn=e=>e.replaceAll("_"," ");function Nn(e){let[t,n]=Mr.find(([,r])=>e>=r)??["second",1];return[t,Math.floor(e/n)]}var Pn={current:a`<circle cx="8" cy="8" r="5" />`,available:a`<circle cx="8" cy="8" r="5" />`,ready:a`<circle cx="8" cy="8" r="5" />`,stale:a`<path d="M8 2.5 14 13H2Z" />`,collecting:a`<path d="M8 2.5 14 13H2Z" />`,synthetic:a`<path d="M8 2 14 8 8 14 2 8Z" />`,unavailable:a`<path d="M3.5 3.5h9v9h-9Z" />`,error:a`<path d="M3.5 3.5h9v9h-9Z" />`,not_connected:a`<circle class="hollow" cx="8" cy="8" r="4.5" />`},In={available:"current",ready:"current",collecting:"stale",error:"unavailable"};function Ce({status:e,...t}){let n=In[e]??e;return a`<svg class="shape tone-${n}" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" ...${t}>
    ${Pn[e]??Pn.not_connected}
  </svg>`}function _e({status:e}){return a`<span class="status tone-${In[e]??e}"><${Ce} status=${e} />${Mn(e)}</span>`}function A({at:e,children:t}){return e?a`<time datetime=${e} title=${J(e)}>${t??On(e)}</time>`:a`<span class="quiet">never</span>`}var wt=e=>new RegExp(`(${e.replace(/[.*+?^$\{}()|[\]\\]/g,"\\$&")})`,"giu");function U({text:e,term:t}){return t?e.split(wt(t)).map((n,r)=>r%2?a`<mark>${n}</mark>`:n):e}function I({meta:e}){let{status:t,updatedAt:n,note:r}=e.freshness;return a`<p class="freshness">
    <${_e} status=${t} />
    ${n&&a`<span>updated <${A} at=${n} /></span>`}
    ${r&&a`<span class="quiet" dir="auto">${r}</span>`}
  </p>`}function te({pagination:e,page:t,onPage:n}){if(!e||e.totalPages<=1&&t<=1)return null;let{totalPages:r,total:s,hasNextPage:o}=e;return a`<nav class="pager" aria-label="Pages">
    <button type="button" disabled=${t<=1} onClick=${()=>n(t-1)}>Previous</button>
    <span>Page ${t} of ${Math.max(r,1)} <span class="quiet">· ${s} in all</span></span>
    <button type="button" disabled=${!o} onClick=${()=>n(t+1)}>Next</button>
  </nav>`}function ze({text:e,label:t="Copy"}){let[n,r]=y(!1),s=async()=>{await navigator.clipboard.writeText(e),r(!0),setTimeout(r,1600,!1)};return navigator.clipboard?a`<button type="button" class="copy" onClick=${s}>
    <span aria-live="polite">${n?"Copied":t}</span>
  </button>`:null}function We({text:e,label:t}){return a`<div class="snippet">
    <pre tabindex="0" role="region" aria-label=${t}><code>${e}</code></pre>
    <${ze} text=${e} />
  </div>`}function S(){return a`<p class="loading" role="status">Loading …</p>`}function D({children:e}){return a`<p class="empty">${e}</p>`}function N({error:e,retry:t,isWhole:n}){let{status:r}=e,s=Rn[r]??Rn[r>=500||r===0?503:400];return a`<div class="trouble" role="alert">
    ${n?a`<h1>${s.title}</h1>`:a`<h2>${s.title}</h2>`}
    ${e.message&&a`<p dir="auto">${e.message}</p>`}
    ${s.what&&a`<p>${s.what}</p>`}
    <p class="actions">
      ${r===401&&!H&&a`<button type="button" onClick=${ke}>Use another key</button>`}
      ${(r===0||r===429||r>=500)&&a`<button type="button" onClick=${t}>Try again</button>`}
    </p>
    ${e.exchange?.requestId&&a`<p class="quiet">Request <code>${e.exchange.requestId}</code></p>`}
  </div>`}var Rn={0:{title:"The service did not respond",what:"Check that it runs and that you are online, then try again."},400:{title:"Invalid request",what:"Change the parameters; the same request fails again."},401:{title:"This key does not work"},403:{title:"This key may not read this",what:"With more scopes, the key itself stays the same."},404:{title:"Not found"},409:{title:"The stored data does not match"},429:{title:"Too many requests"},503:{title:"The service could not answer",what:"No data is lost."}},bt=new z(null);function xt(e){bt.set(e)}function F({url:e,children:t}){return a`<button type="button" class="outbound" dir="auto" onClick=${()=>xt(e)}>${t??e}</button>`}function Ln(){let e=b(bt),t=O(null);T(()=>{e&&t.current.showModal()},[e]);let n=()=>t.current.close(),r=/^(https?|mailto):/i.test(e??"");return a`<dialog ref=${t} aria-labelledby="outbound-title" onClose=${()=>bt.set(null)}>
    <h2 id="outbound-title">This link comes from a source</h2>
    <p>It has not been checked.</p>
    <p class="address" dir="ltr"><code>${e}</code></p>
    <p class="actions">
      ${r&&a`<a class="button" href=${e} target="_blank" rel="noopener noreferrer nofollow" onClick=${n}>Open in a new tab</a>`}
      <${ze} text=${e??""} label="Copy address" />
      <button type="button" onClick=${n}>Close</button>
    </p>
  </dialog>`}var Ve={curl:{title:"curl",text:Pr},mcp:{title:"MCP",text:Rr},python:{title:"Python",text:Ir},json:{title:"JSON",text:({body:e})=>JSON.stringify(e,null,2)}};function Ke({operations:e}){let t=b(le),[n,r]=y(null),[s,o]=y("curl");if(T(()=>r(null),[t]),!t.length)return null;let c=({operation:d})=>e.indexOf(d.name),i=n??t.reduce((d,l)=>c(l)>c(d)?l:d),p=()=>Y(i.operation.name,i.args).catch(()=>{});return a`<section class="strip" aria-label="The request of this view">
    <details>
      <summary>
        <span class="verb">GET</span> <code class="path">${i.path}</code>
        <${Nr} exchange=${i} />
      </summary>
      <div class="strip-body">
        ${t.length>1&&a`<label class="field">Request
          <select value=${t.indexOf(i)} onChange=${d=>r(t[d.target.value])}>
            ${t.map((d,l)=>a`<option value=${l}>${d.status} ${d.path}</option>`)}
          </select></label>`}
        <dl class="facts">
          <div><dt>Status</dt><dd>${i.status===304?"304, unchanged":i.status||"no response"}</dd></div>
          <div><dt>Took</dt><dd>${i.milliseconds} ms</dd></div>
          <div><dt>ETag</dt><dd><code>${i.etag??"none"}</code></dd></div>
          <div><dt>Request</dt><dd><code>${i.requestId??"none"}</code></dd></div>
        </dl>
        <div class="tabs">
          ${Object.entries(Ve).map(([d,{title:l}])=>a`<button type="button" aria-pressed=${s===d} onClick=${()=>o(d)}>${l}</button>`)}
          <span class="spread"></span>
          <a href=${_("reference",i.operation.name)}>Reference</a>
          <button type="button" class="again" onClick=${p}>Send again</button>
          <${ze} text=${Ve[s].text(i)} />
        </div>
        <pre tabindex="0" role="region" aria-label=${Ve[s].title}><code>${Ve[s].text(i)}</code></pre>
      </div>
    </details>
  </section>`}function Nr({exchange:{status:e,milliseconds:t}}){return a`<span class="outcome" role="status"><span class="tone-${e===200||e===304?"current":"unavailable"}">${e||"no response"}</span> <span class="quiet">${t} ms</span></span>`}function Dn(){let e=b(Fe),[t,n]=y(Date.now());if(T(()=>{let i=setInterval(()=>n(Date.now()),1e3);return()=>clearInterval(i)},[]),!e)return null;let r=e.resetAt<=t,s=r?e.limit:e.remaining,o=Math.ceil((e.resetAt-t)/1e3),c=r?"A new minute has begun; all requests are left.":`Requests that the key has left in this minute. Resets in ${o} s`;return a`<span class="quota" title=${c}>
    <meter min="0" max=${e.limit} low=${e.limit/5} value=${s} aria-label="Requests left"></meter>
    <span>${s} of ${e.limit}<span class="unit"> requests</span> left</span>
  </span>`}function Pr({path:e}){return`curl -sS '${Fn(e)}' \\
  -H "Authorization: Bearer $${x.variable}"`}function Rr({operation:e,args:t}){let n={name:e.name,arguments:xn(e,t)},r=JSON.stringify({jsonrpc:"2.0",id:1,method:"tools/call",params:n},null,2);return`curl -sS '${x.baseUrl}/api/mcp' \\
  -H "Authorization: Bearer $${x.variable}" \\
  -H 'Content-Type: application/json' \\
  -H 'Accept: application/json, text/event-stream' \\
  --data-binary @- <<'EOF'
${r}
EOF`}function Ir({path:e}){return`import json
import os
from urllib.request import Request, urlopen

request = Request(
    "${Fn(e)}",
    headers={"Authorization": f"Bearer {os.environ['${x.variable}']}"},
)
with urlopen(request) as response:
    print(json.dumps(json.load(response), indent=2, ensure_ascii=False))`}var Fn=e=>`${x.baseUrl}${e.replaceAll("'","%27")}`;var jn="./icon-KB2SD46C.svg";var St={};G(St,{Assets:()=>kt,operations:()=>Dr,shows:()=>Fr});var Dr=["list_assets","read_asset"],Fr=({values:[e]})=>e?`the file or folder ${e}`:"the names, sizes and dates of files",jr=(e,t)=>e.pagination.hasNextPage?{...t,page:e.pagination.page+1}:null;function kt({values:e}){return a`
    <h1>Files</h1>
    <p class="quiet">Names, sizes and dates. The contents of files are never served.</p>
    <div class="split">
      <div class="tree"><${Un} isRoot=${!0} chosen=${e[0]} /></div>
      <div class="detail">${e[0]?a`<${Hr} id=${e[0]} />`:a`<${D}>Select a file or a folder.<//>`}</div>
    </div>
  `}function Un({id:e,isRoot:t,chosen:n}){let{bodies:r,error:s,isLoading:o,hasMore:c,more:i}=me("list_assets",{folderId:e},jr),p=r.flatMap(d=>d.data);return a`
    ${s&&a`<${N} error=${s} retry=${i} />`}
    ${!o&&!s&&!p.length&&a`<p class="quiet">Empty.</p>`}
    <ul>${p.map(d=>a`<${Ur} key=${d.id} asset=${d} chosen=${n} />`)}</ul>
    ${o&&a`<${S} />`}
    ${c&&!o&&a`<button type="button" class="more" onClick=${i}>Load more</button>`}
    ${t&&r[0]&&a`<${I} meta=${r[0].meta} />`}
  `}function Ur({asset:e,chosen:t}){let[n,r]=y(!1),s=a`<a href=${_("explore","assets",[e.id])} aria-current=${t===e.id?"true":void 0} dir="auto">${e.name}</a>`;return e.kind==="file"?a`<li class="file">${s} <span class="quiet">${Se(e.bytes)}</span>${e.public&&a` <span class="chip">public</span>`}</li>`:a`<li class="folder">
    <button type="button" class="twist" aria-expanded=${n} aria-label=${`Contents of ${e.name}`} onClick=${()=>r(!n)}></button>
    ${s}
    ${n&&a`<${Un} id=${e.id} chosen=${t} />`}
  </li>`}function Hr({id:e}){let{body:t,error:n,retry:r}=P("read_asset",{id:e});if(n)return a`<${N} error=${n} retry=${r} />`;if(!t)return a`<${S} />`;let{data:s}=t,o=(c,i)=>a`<div><dt>${c}</dt><dd dir="auto">${i}</dd></div>`;return a`<section class="card" aria-label="Selected">
    <p class="eyebrow">${s.kind}</p>
    <h2 dir="auto">${s.name}</h2>
    <dl class="facts">
      ${s.kind==="file"&&o("Size",`${Se(s.bytes)} (${s.bytes} bytes)`)}
      ${s.mime&&o("Type",s.mime)}
      ${o("Visible",s.public?"to everybody":"to the organization")}
      ${s.publicUrl&&o("Address",a`<${F} url=${s.publicUrl} />`)}
      ${s.uploadedBy&&o("From",s.uploadedBy.displayName??s.uploadedBy.id)}
      ${o("Created",J(s.createdAt))}
      ${o("Changed",J(s.updatedAt))}
      ${s.parentId&&o("In",a`<a href=${_("explore","assets",[s.parentId])}>its folder</a>`)}
      ${o("Id",a`<code>${s.id}</code>`)}
    </dl>
    <${I} meta=${t.meta} />
  </section>`}var Tt={};G(Tt,{Chats:()=>Ct,operations:()=>Br,queries:()=>Wr,shows:()=>zr});var Br=["list_telegram_chats","list_telegram_messages"],zr=({values:[e],query:{around:t,q:n}})=>e?n?`the messages of a chat that contain “${n}”`:t?`message ${t} of a chat, between its neighbors`:"the messages of a chat":"the linked chats",Wr={list_telegram_messages:Kr},Vr=2**31-1;function Kr({before:e,...t}){return t.limit==="1"&&e>1?{around:e-1}:{before:e,...t}}function Ct({values:e,query:t}){let{before:n,around:r}=t;return e[0]?a`<${Xr} key=${`${e[0]} ${n} ${r}`} id=${e[0]} before=${n} around=${r} />`:a`<${Jr} />`}function Jr(){let{query:e}=b(L),t=Number(e.page??1),{body:n,error:r,retry:s}=P("list_telegram_chats",{page:t});return r?a`<${N} isWhole error=${r} retry=${s} />`:n?a`
    <h1>Chats</h1>
    ${!n.data.length&&a`<${D}>No linked chat is approved.<//>`}
    <ul class="cards">
      ${n.data.map(o=>a`<li class="card" key=${o.id}>
        <p class="eyebrow">${o.type}</p>
        <h2 dir="auto"><a href=${_("explore","chats",[o.id])}>${o.title}</a></h2>
        ${o.username&&a`<p class="quiet" dir="ltr">@${o.username}</p>`}
        <dl class="figures">
          <div><dt>messages</dt><dd>${j(o.trackedMessageCount)}</dd></div>
          <div><dt>members</dt><dd>${Be(o.memberCount)}</dd></div>
          <div><dt>last</dt><dd><${A} at=${o.lastMessageAt} /></dd></div>
        </dl>
        <p class="quiet">Linked ${W(o.linkedAt)}</p>
      </li>`)}
    </ul>
    <${te} pagination=${n.pagination} page=${t} onPage=${o=>R({page:o})} />
    <${I} meta=${n.meta} />
  `:a`<${S} />`}function Xr({id:e,before:t,around:n}){let{query:r}=b(L),s=ee(r.q??""),c=P("list_telegram_chats",{}).body?.data.find($=>$.id===e),{bodies:i,error:p,isLoading:d,hasMore:l,more:m}=me("list_telegram_messages",{chatId:e,q:s,...s?{}:{before:t,around:n}},({pagination:$})=>$.hasMore?{chatId:e,q:s,before:$.nextBefore}:null),f=i.flatMap($=>$.data).reverse(),u=s?null:Number(n)||null,h=f.some($=>$.id===u),k=Gr(f.length),g=$=>_("explore","chats",[e],{around:$});return a`
    <p class="crumb"><a href=${_("explore","chats")}>Chats</a></p>
    <h1 dir="auto">${c?.title??"Conversation"}</h1>
    <form class="filters" role="search" onSubmit=${$=>$.preventDefault()}>
      <label class="field wide">Search in this chat
        <input type="search" maxlength="200" value=${r.q??""} dir="auto" onInput=${$=>R({q:$.target.value})} /></label>
      ${(t||n)&&a`<a class="button" href=${_("explore","chats",[e])}>Newest messages</a>`}
    </form>
    ${p&&a`<${N} error=${p} retry=${m} />`}
    ${i[0]?.pagination.searchLimited&&a`<p class="quiet">Only the newest messages were searched.</p>`}
    ${u&&f.length>0&&!h&&a`<p class="quiet" role="status">Message ${u} is not stored. These are the messages around it.</p>`}
    <div class="conversation" ref=${k} tabindex="0" role="region" aria-label="Messages">
      <p class="older">
        ${d?a`<${S} />`:l?a`<button type="button" class="more" onClick=${m}>Older messages</button>`:a`<span class="quiet">${f.length?"Beginning of the stored messages.":"No message matches."}</span>`}
      </p>
      <ol>${f.map(($,v)=>a`<${Zr} key=${$.id} message=${$} previous=${f[v-1]}
        quoted=${f.find(E=>E.id===$.replyToMessageId)} term=${s} isHit=${$.id===u} link=${g} />`)}</ol>
      ${u&&f.at(-1)?.id>u&&a`<p class="older"><a class="button" href=${g(f.at(-1).id)}>Newer messages</a></p>`}
    </div>
    ${i[0]&&a`<${I} meta=${i[0].meta} />`}
  `}function Gr(e){let t=O(null),n=O(null);return we(()=>{let r=t.current;if(!e)return;let s=r.scrollHeight>r.clientHeight,o=s?r:document.scrollingElement,c=s?r:document,i=()=>{n.current=o.scrollHeight-o.clientHeight-o.scrollTop},p=n.current===null&&r.querySelector("[aria-current]");return p?p.scrollIntoView({block:"center"}):o.scrollTop=o.scrollHeight-o.clientHeight-(n.current??0),i(),c.addEventListener("scroll",i,{passive:!0}),()=>c.removeEventListener("scroll",i)},[e]),t}function Zr({message:e,previous:t,quoted:n,term:r,isHit:s,link:o}){let{id:c,sender:i,text:p,detail:d,kind:l,file:m,sentAt:f,editedAt:u,replyToMessageId:h}=e,k=!t||W(t.sentAt)!==W(f),g=k||t.sender.name!==i.name;return a`
    ${k&&a`<li class="day">${W(f)}</li>`}
    <li class=${`message${s?" hit":""}`} aria-current=${s?"true":void 0}>
      ${g&&a`<p class="sender" dir="auto">${i.name} ${i.username&&a`<span class="quiet" dir="ltr">@${i.username}</span>`}</p>`}
      <div class="bubble">
        ${h!==null&&a`<p class="quoted" dir="auto"><${Qr} id=${h} quoted=${n} link=${o} /></p>`}
        ${l!=="text"&&a`<p class="attachment" dir="auto"><span class="kind">${l}</span> <${Yr} file=${m} term=${r} /></p>`}
        ${d&&a`<p class="quiet" dir="auto"><${U} text=${d} term=${r} /></p>`}
        ${p&&a`<p class="text" dir="auto"><${U} text=${p} term=${r} /></p>`}
        <p class="when"><a href=${o(c)} aria-label=${`Message ${c}, ${J(f)}`}><${A} at=${f}>${gt(f)}<//></a>${u&&a` <span>edited <${A} at=${u}>${gt(u)}<//></span>`}</p>
      </div>
    </li>`}function Qr({id:e,quoted:t,link:n}){let r=t?`${t.sender.name}: ${t.text??t.detail??t.kind}`:`in reply to ${e}`;return e>=1&&e<=Vr?a`<a href=${n(e)}>${r}</a>`:r}function Yr({file:e,term:t}){if(!e)return null;let{fileName:n,width:r,height:s,duration:o,mimeType:c,fileSize:i,sticker:p}=e,d=[p,r&&s&&`${r} × ${s}`,o!==null&&qn(o),c,i!==null&&Se(i)];return a`${n&&a`<${U} text=${n} term=${t} /> `}<span class="quiet">${d.filter(Boolean).join(" · ")}</span>`}function Hn({view:e}){let t=x.clients.find(n=>n.name===e)??x.clients[0];return a`
    <div class="masthead">
      <h1>Connect a client</h1>
      <p class="lead">Set <code>${x.variable}</code> to the key. Configurations contain the name of this variable, never the key.</p>
      <dl class="facts">
        <div><dt>MCP</dt><dd><code>${x.baseUrl}/api/mcp</code></dd></div>
        <div><dt>REST</dt><dd><code>${x.baseUrl}/api/v1</code></dd></div>
      </dl>
    </div>
    <div class="split side">
      <nav aria-label="Clients"><ul class="menu">
        ${x.clients.map(({name:n,title:r})=>a`<li><a href=${_("connect",n)} aria-current=${n===t.name?"page":void 0}>${r}</a></li>`)}
      </ul></nav>
      <section aria-labelledby="client">
        <h2 id="client">${t.title}</h2>
        <p>${t.place}</p>
        <${We} text=${t.configuration} label=${`Configuration for ${t.title}`} />
        <p class="quiet">In a shell: <code>orgctx connect ${t.name} --base-url ${x.baseUrl}</code></p>
      </section>
    </div>
    <p class="notice">Text from sources is untrusted data, never an instruction; every tool result says so.</p>
  `}var At={};G(At,{Knowledge:()=>Ot,operations:()=>no,shows:()=>ro});function Je({text:e,term:t}){let n=He(()=>import("./markdown-Y5HIW46E.js")),r=O(null);return we(()=>{if(!n)return;let s=n.renderedLine(e);t&&eo(s,t),r.current.replaceChildren(s)},[n,e,t]),n?a`<p key="line" dir="auto" ref=${r}></p>`:a`<p key="text" dir="auto">${e}</p>`}function eo(e,t){let n=document.createTreeWalker(e,NodeFilter.SHOW_TEXT),r=[];for(;n.nextNode();)r.push(n.currentNode);for(let s of r){let o=s.data.split(wt(t));o.length>1&&s.replaceWith(...o.map((c,i)=>i%2?to(c):c))}}function to(e){let t=document.createElement("mark");return t.textContent=e,t}var Bn=new Map;function zn(e,t,n={}){for(let r of t)Bn.set(r,{view:e,toQuery:n[r]??(s=>s)})}function ne(e){let t=De(e),n=t&&Bn.get(t.operation.name);if(!n)return null;let{limit:r,...s}=n.toQuery(Object.fromEntries(t.query));return _("explore",n.view,t.values,s)}var no=["list_knowledge","read_knowledge"],ro=({values:[e],query:{q:t}})=>e?`the document or note ${e}`:`documents and notes${t?` that contain “${t}”`:""}`,oo={"":"Everything",source:"Documents",note:"Notes"},so={"":"Public and team",public:"Public",team:"Team"};function Ot({values:e}){return e[0]?a`<${lo} key=${e[0]} id=${e[0]} />`:a`<${ao} />`}function ao(){let{query:e}=b(L),t=ee(e.q??""),n=Number(e.page??1),{kind:r,visibility:s,archived:o}=e,{body:c,error:i,retry:p}=P("list_knowledge",{q:t,kind:r,visibility:s,archived:o,page:n}),d=(l,m)=>a`<select value=${e[l]??""} onChange=${f=>R({[l]:f.target.value,page:""})}>
    ${Object.entries(m).map(([f,u])=>a`<option value=${f}>${u}</option>`)}
  </select>`;return a`
    <h1>Library</h1>
    <form class="filters" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="field wide">Text
        <input type="search" maxlength="200" value=${e.q??""} dir="auto"
          onInput=${l=>R({q:l.target.value,page:""})} /></label>
      <label class="field">Kind ${d("kind",oo)}</label>
      <label class="field">For ${d("visibility",so)}</label>
      <label class="check"><input type="checkbox" checked=${o==="true"}
        onChange=${l=>R({archived:l.target.checked?"true":"",page:""})} /> Archived</label>
    </form>
    ${i&&a`<${N} error=${i} retry=${p} />`}
    ${!c&&!i&&a`<${S} />`}
    ${c&&a`
      ${!c.data.length&&a`<${D}>No document or note matches.<//>`}
      <ol class="results">${c.data.map(l=>a`<${io} key=${l.id} item=${l} term=${t} />`)}</ol>
      <${te} pagination=${c.pagination} page=${n} onPage=${l=>R({page:l})} />
      <${I} meta=${c.meta} />`}
  `}function io({item:e,term:t}){return a`<li>
    <h2 dir="auto"><a href=${_("explore","knowledge",[e.id])}><${U} text=${e.title} term=${t} /></a></h2>
    <${Je} text=${e.preview} term=${t} />
    <${Wn} item=${e} />
  </li>`}function Wn({item:e}){let{source:t,sourceLabel:n,sourceHref:r,sourceStatus:s,visibility:o,archived:c,updatedAt:i}=e;return a`<p class="byline">
    <span class="kind">${t}</span>
    <span dir="auto">${r?a`<${co} href=${r} label=${n} />`:n}</span>
    <${A} at=${i} />
    ${o==="team"&&a`<span class="chip">team</span>`}
    ${c&&a`<span class="chip">archived</span>`}
    ${s!=="current"&&a`<span class="chip">${s}</span>`}
  </p>`}function co({href:e,label:t}){let n=ne(e);return n?a`<a href=${n}>${t}</a>`:a`<${F} url=${e}>${t}<//>`}function lo({id:e}){let[t,n]=y(!1),{bodies:r,error:s,isLoading:o,hasMore:c,more:i}=me("read_knowledge",{id:e},f=>{let{nextOffset:u}=f.data.contentRange;return u===null?null:{id:e,offset:u}}),p=Cn(i,c&&!o&&!s),d=r[0]?.data,l=r.at(-1)?.data.contentRange,m=l&&l.offset+l.length;return a`
    <p class="crumb"><a href=${_("explore","knowledge")}>Library</a></p>
    ${d&&a`
      <article class="document" aria-busy=${o}>
        <header>
          <h1 dir="auto">${d.title}</h1>
          <${Wn} item=${d} />
          <div class="reading">
            <meter min="0" max=${l.total||1} value=${l.total?m:1} aria-label="Loaded part"></meter>
            <span class="quiet">${j(m)} of ${j(l.total)}${c?"; scroll to load the rest":""}</span>
            ${d.contentFormat==="markdown"&&a`<span class="segmented" role="group" aria-label="Show as">
              <button type="button" aria-pressed=${!t} onClick=${()=>n(!1)}>Rendered</button>
              <button type="button" aria-pressed=${t} onClick=${()=>n(!0)}>Plain</button>
            </span>`}
          </div>
        </header>
        ${t||d.contentFormat!=="markdown"?a`<div class="plain-text" dir="auto">${r.map(f=>f.data.content).join("")}</div>`:a`<${uo} bodies=${r} isWhole=${!c} />`}
        <footer class="quiet">Created ${W(d.createdAt)} · <code>${d.id}</code></footer>
      </article>
      <${I} meta=${r[0].meta} />`}
    ${s&&a`<${N} isWhole=${!d} error=${s} retry=${i} />`}
    ${o&&a`<${S} />`}
    <div ref=${p}></div>
  `}function uo({bodies:e,isWhole:t}){let n=O(null),r=O({count:0,rest:"",env:{}}),s=He(()=>import("./markdown-Y5HIW46E.js"));T(()=>{if(!s)return;let{cut:c,rendered:i}=s,p=r.current;p.tail?.forEach(m=>m.remove()),p.tail=null,p.rest+=e.slice(p.count).map(m=>m.data.content).join(""),p.count=e.length;let[d,l]=t?[p.rest,""]:c(p.rest);if(d&&n.current.append(i(d,p.env)),p.rest=l,l){let m=i(l,{...p.env});p.tail=[...m.childNodes],n.current.append(m)}},[s,e.length,t]);let o=c=>{let i=c.target.closest("button.outbound");i&&xt(i.address)};return a`${!s&&a`<${S} />`}<div class="prose" ref=${n} onClick=${o}></div>`}var Et={};G(Et,{Mentions:()=>qt,operations:()=>po,shows:()=>fo});var po=["list_x_mentions"],fo=()=>"the posts that mention the organization";function qt(){let{query:e}=b(L),t=Number(e.page??1),{body:n,error:r,retry:s}=P("list_x_mentions",{page:t});return a`
    <h1>Mentions</h1>
    ${r&&a`<${N} error=${r} retry=${s} />`}
    ${!n&&!r&&a`<${S} />`}
    ${n&&a`
      <${I} meta=${n.meta} />
      ${!n.data.length&&a`<${D}>No post is stored.<//>`}
      <ul class="cards posts">${n.data.map(o=>a`<${mo} key=${o.id} post=${o} />`)}</ul>
      <${te} pagination=${n.pagination} page=${t} onPage=${o=>R({page:o})} />`}
  `}function mo({post:e}){let{author:t,text:n,createdAt:r,metrics:s,media:o,quoted:c,isReply:i,isRepost:p,url:d}=e,l=Object.values(s).some(Boolean),m=(f,u)=>f==="views"||!l?Be(u):vt(u);return a`<li class="card">
    <p class="byline"><${Vn} author=${t} /> <${A} at=${r} />
      ${i&&a`<span class="chip">reply</span>`}${p&&a`<span class="chip">repost</span>`}</p>
    <p class="text" dir="auto">${n}</p>
    ${o.length>0&&a`<ul class="plain-list media">${o.map(f=>a`<li><span class="kind">${f.type}</span> <${F} url=${f.url} />
      ${f.previewUrl!==f.url&&a`<${F} url=${f.previewUrl} />`}</li>`)}</ul>`}
    ${c&&a`<blockquote><p class="byline"><${Vn} author=${c.author} /></p><p class="text" dir="auto">${c.text}</p><p><${F} url=${c.url}>Open the post<//></p></blockquote>`}
    <dl class="figures">${Object.entries(s).map(([f,u])=>a`<div><dt>${f}</dt><dd title=${j(u)}>${m(f,u)}</dd></div>`)}</dl>
    <p class="byline"><${F} url=${d}>Open the post<//> <code>${e.id}</code></p>
  </li>`}function Vn({author:e}){return a`<strong dir="auto">${e.name}</strong> <span class="quiet" dir="ltr">@${e.username}${e.verified&&" · verified"}</span>`}var Pt={};G(Pt,{Overview:()=>Nt,operations:()=>vo,shows:()=>yo});var Mt=60,$o=3*31557600,Kn=[[3600,"hour"],[86400,"day"],[604800,""],[2629800,"month"],[31557600,"year"]],Xe=360;function Te(e){let t=Math.log(Math.max(e,Mt)/Mt)/Math.log($o/Mt);return Math.round(10+Math.min(1,t)*(Xe-20))}function Jn({sources:e}){return e.length?a`<section class="freshness-picture" aria-labelledby="freshness-title">
    <div class="section-head">
      <h2 id="freshness-title">Freshness</h2>
      <p class="quiet">The mark shows the age of a source, the band its freshness target. A source past its target is stale.</p>
    </div>
    <table>
      <thead>
        <tr>
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Age and target</th>
          <th scope="col" class="line"><span class="sr">On a time axis</span><${_o} /></th>
        </tr>
      </thead>
      <tbody>${e.map(t=>a`<${ho} key=${t.id} source=${t} />`)}</tbody>
    </table>
  </section>`:a`<${D}>No source is approved for this key. An owner or admin can approve sources.<//>`}function ho({source:e}){let{label:t,kind:n,count:r,description:s,href:o,status:c,updatedAt:i,staleAfterSeconds:p}=e,d=ne(o);return a`<tr>
    <th scope="row">
      <span class="label" dir="auto">${d?a`<a href=${d}><${U} text=${t} /></a>`:t}</span>
      <span class="kind">${n}${r!==void 0&&` · ${r}`}</span>
      <span class="quiet about" dir="auto">${s}</span>
    </th>
    <td><${_e} status=${c} /></td>
    <td><${A} at=${i} /><span class="quiet about">${p===void 0?"no freshness target":`stale after ${An(p)}`}</span></td>
    <td class="line"><${go} status=${c} updatedAt=${i} target=${p} /></td>
  </tr>`}function _o(){return a`<svg viewBox="0 0 ${Xe} 16" aria-hidden="true" class="scale">
    <text x="10" y="12">now</text>
    ${Kn.map(([e,t])=>a`<text x=${Te(e)} y="12" text-anchor="middle">${t}</text>`)}
  </svg>`}function go({status:e,updatedAt:t,target:n}){let r=t?Te(yt(t)):null,s=n===void 0?null:Te(n),o=s!==null&&r!==null&&r>s;return a`<svg viewBox="0 0 ${Xe} 28" aria-hidden="true" class="age tone-${e}">
    ${Kn.map(([c])=>a`<line class="tick" x1=${Te(c)} x2=${Te(c)} y1="0" y2="28" />`)}
    <line class="base" x1="10" x2=${Xe-10} y1="14" y2="14" />
    ${s!==null&&a`<rect class="promise" x="10" y="8" width=${s-10} height="12" rx="3" />`}
    ${o&&a`<line class="late" x1=${s} x2=${r} y1="14" y2="14" />`}
    ${r!==null&&a`<${Ce} status=${e} x=${r-10} y="4" width="20" height="20" />`}
  </svg>`}var vo=["get_context","list_sources"],yo=()=>"the organization, its sources, and how fresh each of them is";function Nt(){let{body:e,error:t,retry:n}=P("get_context",{});if(t)return a`<${N} isWhole error=${t} retry=${n} />`;if(!e)return a`<${S} />`;let{organization:r,grantedScopes:s,sources:o,connections:c}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Organization</p>
      <h1 dir="auto">${r.displayName??"Organization"}</h1>
      <p class="quiet">
        ${r.slug&&a`<code>${r.slug}</code> · `}
        ${r.createdAt&&a`since ${W(r.createdAt)} · `}
        ${o.length} ${o.length===1?"source":"sources"}
      </p>
      ${!r.displayName&&a`<p class="quiet">Its name is in the <code>profile</code> source, which this key does not read.</p>`}
      <ul class="chips" aria-label="Scopes of this key">
        ${s.map(i=>a`<li class="chip"><code>${i}</code></li>`)}
      </ul>
    </div>
    <${Jn} sources=${o} />
    <details class="more">
      <summary>Identifiers and connections</summary>
      <dl class="facts">
        <div><dt>Organization</dt><dd><code>${r.id}</code></dd></div>
        ${o.map(({id:i,label:p,href:d})=>a`<div><dt dir="auto">${p}</dt><dd><code>${i}</code>, <code>${d}</code></dd></div>`)}
        ${Object.entries(c).map(([i,p])=>a`<div><dt>${i}</dt><dd>${bo(p)}</dd></div>`)}
      </dl>
    </details>
  `}function bo(e){return Object.entries(e).filter(([,n])=>n!==null&&typeof n!="object").map(([n,r])=>`${n} ${r}`).join(", ")}var It={};G(It,{People:()=>Rt,operations:()=>wo,shows:()=>xo});var wo=["list_people","read_person"],xo=({values:[e],query:{q:t}})=>e?`the person ${e} and their latest activity`:`people${t?` named “${t}”`:""}, by their latest activity`;function Rt({values:e}){return e[0]?a`<${So} key=${e[0]} id=${e[0]} />`:a`<${ko} />`}function ko(){let{query:e}=b(L),t=ee(e.q??""),n=Number(e.page??1),{body:r,error:s,retry:o}=P("list_people",{q:t,page:n}),c=Math.max(1,...(r?.data??[]).map(i=>i.activityCount));return a`
    <h1>People</h1>
    <p class="quiet">The latest active first. The bar shows how many messages and posts each of them wrote.</p>
    <form class="filters" role="search" onSubmit=${i=>i.preventDefault()}>
      <label class="field wide">Name
        <input type="search" maxlength="200" value=${e.q??""} dir="auto" onInput=${i=>R({q:i.target.value,page:""})} /></label>
    </form>
    ${s&&a`<${N} error=${s} retry=${o} />`}
    ${!r&&!s&&a`<${S} />`}
    ${r&&a`
      ${r.pagination.searchLimited&&a`<p class="quiet">Only the most recently active people were searched.</p>`}
      ${!r.data.length&&a`<${D}>No person in an approved source matches.<//>`}
      <ul class="people">${r.data.map(i=>a`<li key=${i.key}>
        <a href=${_("explore","people",[i.key])} dir="auto"><${U} text=${i.displayName} term=${t} /></a>
        <span class="quiet" dir="ltr">${i.username?a`@<${U} text=${i.username} term=${t} />`:""}</span>
        <span class="kind">${i.platform}</span>
        <span class="activity"><meter min="0" max=${c} value=${i.activityCount} aria-label="Activity"></meter> ${j(i.activityCount)}</span>
        <span class="quiet"><${A} at=${i.lastActiveAt} /></span>
      </li>`)}</ul>
      <${te} pagination=${r.pagination} page=${n} onPage=${i=>R({page:i})} />
      <${I} meta=${r.meta} />`}
  `}function So({id:e}){let{body:t,error:n,retry:r}=P("read_person",{key:e});if(n)return a`<${N} isWhole error=${n} retry=${r} />`;if(!t)return a`<${S} />`;let{data:s}=t;return a`
    <p class="crumb"><a href=${_("explore","people")}>People</a></p>
    <div class="masthead">
      <p class="eyebrow">${s.platform}${s.verified&&" · verified"}</p>
      <h1 dir="auto">${s.displayName}</h1>
      <p class="quiet">
        ${s.username&&a`<span dir="ltr">@${s.username}</span> · `}
        ${j(s.activityCount)} in all · since ${W(s.firstActiveAt)} · last <${A} at=${s.lastActiveAt} />
      </p>
      ${s.profileUrl&&a`<p><${F} url=${s.profileUrl} /></p>`}
      <p class="quiet"><code>${s.key}</code></p>
    </div>
    <h2>Sources</h2>
    <ul class="plain-list">${s.sources.map(o=>a`<li key=${o.sourceId}>
      <span dir="auto">${o.label}</span> <span class="quiet">${j(o.activityCount)} · last <${A} at=${o.lastActiveAt} /></span>
    </li>`)}</ul>
    <h2>Latest activity</h2>
    <ol class="timeline">${s.recentActivity.map(o=>a`<li key=${o.id}>
      <p class="byline"><span class="kind">${o.kind}</span> <${A} at=${o.at} /></p>
      <p dir="auto"><${Co} one=${o} /></p>
    </li>`)}</ol>
    <${I} meta=${t.meta} />
  `}function Co({one:e}){let t=ne(e.href),n=e.preview||`without text (${e.id})`;return t?a`<a href=${t}>${n}</a>`:e.href?a`<${F} url=${e.href}>${n}<//>`:n}var Lt=null;function Gn({view:e}){let[{spec:t,isFailed:n},r]=y({}),s=b(V);return T(()=>{Lt??=fetch("api/v1/openapi.json").then(o=>o.json()),Lt.then(o=>r({spec:o}),()=>{Lt=null,r({isFailed:!0})})},[]),a`
    <div class="masthead">
      <h1>Reference</h1>
      <p class="lead">The OpenAPI 3.1 document of this service: <a href="api/v1/openapi.json">api/v1/openapi.json</a></p>
      <p>Paths are below <code>${x.baseUrl}/api/v1</code>. Send the key in the header
        ${" "}<code>Authorization: Bearer API_KEY</code>. <a href=${_("connect")}>Connect</a> has programs to start from.</p>
    </div>
    ${!s&&a`<section class="card entrance" aria-labelledby="try"><h2 id="try">Try it</h2>
      <p>Paste a key, and each operation below sends its request with it.</p><${$e} action="Use key" /></section>`}
    <nav class="operations" aria-label="Operations"><ul class="chips">
      ${x.operations.map(({name:o,title:c})=>a`<li><a class="chip" href=${_("reference",o)} aria-current=${o===e?"page":void 0}>${c}</a></li>`)}
    </ul></nav>
    <h2 class="sr">Operations</h2>
    ${n&&a`<p role="alert">The document could not be loaded. Reload the page to try again.</p>`}
    ${!t&&!n&&a`<${S} />`}
    ${t&&x.operations.map(o=>a`<${To} key=${o.name} spec=${t} operation=${o} isChosen=${o.name===e} />`)}
    <${Ke} operations=${[]} />
  `}function To({spec:e,operation:t,isChosen:n}){let r=O(null),[s,o]=y(n);T(()=>{n&&(r.current.open=!0,r.current.firstElementChild.focus({preventScroll:!0}),r.current.scrollIntoView())},[n]);let c=()=>o(r.current.open),i=()=>r.current.open||history.replaceState(null,"",_("reference",t.name));return a`<details class="card operation" id="operation-${t.name}" ref=${r} onToggle=${c}>
    <summary onClick=${i}><span class="verb">GET</span> <code class="path">${t.path}</code> <h3>${t.title}</h3></summary>
    ${s&&a`<${Oo} spec=${e} operation=${t} />`}
  </details>`}function Oo({spec:e,operation:t}){let{description:n,parameters:r=[],responses:s}=e.paths[t.path].get,{schema:o,examples:c}=s[200].content["application/json"];return a`
    ${n.split(`

`).map(i=>a`<p><${Dt} text=${i} /></p>`)}
    <${Ao} operation=${t} parameters=${r.map(i=>Ft(e,i))} />
    <h4>Responses</h4>
    <dl class="facts">${Object.entries(s).map(([i,p])=>a`<div><dt>${i}</dt><dd><${Dt} text=${Ft(e,p).description} /></dd></div>`)}</dl>
    <${Xn} title="Example" of=${t.title} value=${Object.values(c)[0].value} />
    <${Xn} title="JSON Schema" of=${t.title} value=${Ge(e,o)} />
  `}function Ao({operation:e,parameters:t}){let[{exchange:n,isSent:r},s]=y({}),o=`parameter-${e.name}`;return a`<form class="trial" autocomplete="off" onSubmit=${i=>{i.preventDefault();let p=new FormData(i.target),d=Object.entries(e.arguments).map(([m,{path:f}])=>[m,p.get(f??m).trim()]),l=m=>s({exchange:m});s({isSent:!0}),Y(e.name,Object.fromEntries(d)).then(l,m=>l(m.exchange))}}>
    ${t.map(({name:i,description:p,required:d,schema:l,example:m})=>a`<div>
      <label for="${o}-${i}"><code>${i}</code></label>
      <${qo} id="${o}-${i}" name=${i} required=${d} schema=${l} example=${m} />
      <p class="quiet" id="${o}-${i}-note"><${Dt} text=${p} />${d?" Required.":""}${!d&&m!==void 0&&a` Example: <code>${String(m)}</code>`}</p>
    </div>`)}
    <p class="actions"><button class="primary" type="submit" disabled=${r}>Execute</button></p>
    <div role="status">${n&&a`<p class="tone-${n.status<400&&n.status?"current":"unavailable"}">${n.status||"No response"}</p>
      <pre tabindex="0" role="region" aria-label="Answer of ${e.name}"><code>${Zn(n.body)}</code></pre>`}</div>
  </form>`}function qo({id:e,name:t,required:n,schema:r,example:s}){let o=r.type==="boolean"?["true","false"]:r.enum,c={id:e,name:t,required:n,"aria-describedby":`${e}-note`};return o?a`<select ...${c}><option value="">${r.default===void 0?"":`default: ${r.default}`}</option>${o.map(i=>a`<option>${i}</option>`)}</select>`:a`<input ...${c} defaultValue=${n?s:void 0} />`}function Xn({title:e,of:t,value:n}){return a`<details><summary>${e}</summary><pre tabindex="0" role="region" aria-label="${e}: ${t}"><code>${Zn(n)}</code></pre></details>`}function Dt({text:e}){return e.split("`").map((t,n)=>n%2?a`<code>${t}</code>`:t)}var Zn=e=>JSON.stringify(e,null,2);function Ft(e,t){return t.$ref?t.$ref.slice(2).split("/").reduce((n,r)=>n[r],e):t}function Ge(e,t,n=[]){return Array.isArray(t)?t.map(r=>Ge(e,r,n)):typeof t!="object"||t===null||n.includes(t.$ref)?t:t.$ref?Ge(e,Ft(e,t),[...n,t.$ref]):Object.fromEntries(Object.entries(t).map(([r,s])=>[r,Ge(e,s,n)]))}var Ut={};G(Ut,{Search:()=>jt,operations:()=>Eo,shows:()=>Mo});var Eo=["search_context"],Mo=({query:{q:e}})=>e?`the records that contain “${e}”`:"the newest records of all sources",No=20,Qn=50;function jt(){let{query:e}=b(L),[t,n]=y(No),r=ee(e.q??""),s={q:r,source:e.source,after:Yn(e.after),before:Yn(e.before,1),limit:t},{body:o,error:c,isLoading:i,retry:p}=P("search_context",s),d=P("list_sources",{});return a`
    <h1 class="sr">Search</h1>
    <form class="searching" role="search" onSubmit=${l=>l.preventDefault()}>
      <label class="big"><span class="sr">Search all sources</span>
        <input type="search" maxlength="200" placeholder="Search all sources" value=${e.q??""}
          onInput=${l=>R({q:l.target.value})} dir="auto" />
      </label>
      <div class="filters">
        <label class="field">Source
          <select value=${e.source??""} onChange=${l=>R({source:l.target.value})}>
            <option value="">All</option>
            ${(d.body?.data??[]).map(l=>a`<option value=${l.id}>${l.label}</option>`)}
          </select></label>
        <label class="field">From
          <input type="date" value=${e.after??""} onChange=${l=>R({after:l.target.value})} /></label>
        <label class="field">To
          <input type="date" value=${e.before??""} onChange=${l=>R({before:l.target.value})} /></label>
      </div>
    </form>
    ${c&&a`<${N} error=${c} retry=${p} />`}
    ${!o&&i&&a`<${S} />`}
    ${o&&a`<${Po} body=${o} term=${r} isLoading=${i} onMore=${t<Qn&&(()=>n(Qn))} />`}
  `}function Po({body:e,term:t,isLoading:n,onMore:r}){let{items:s,hasMore:o}=e.data;return a`
    <p class="sr" role="status">${s.length} results</p>
    ${!s.length&&a`<${D}>No record contains this text. Search is literal: try other words, or fewer.<//>`}
    <ol class="results" aria-busy=${n}>
      ${s.map(c=>a`<${Io} key=${`${c.kind} ${c.id}`} item=${c} term=${t} />`)}
    </ol>
    ${o&&a`<p class="actions">
      ${r?a`<button type="button" onClick=${r}>Show more</button>`:a`<span class="quiet">There are more results: narrow the search by source, time or text.</span>`}
    </p>`}
    <${I} meta=${e.meta} />
  `}var Ro=e=>De(e.href)?.operation.name==="read_knowledge";function Io({item:e,term:t}){let n=ne(e.href),r=a`<${U} text=${e.title} term=${t} />`;return a`<li>
    <h2 dir="auto">${n?a`<a href=${n}>${r}</a>`:e.href?a`<${F} url=${e.href}>${r}<//>`:r}</h2>
    ${Ro(e)?a`<${Je} text=${e.preview} term=${t} />`:a`<p dir="auto"><${U} text=${e.preview} term=${t} /></p>`}
    <p class="byline"><span class="kind">${e.kind}</span> <span dir="auto">${e.sourceLabel}</span> ${e.updatedAt&&a`<${A} at=${e.updatedAt} />`}</p>
  </li>`}function Yn(e,t=0){if(!e)return;let n=new Date(`${e}T00:00`);return n.setDate(n.getDate()+t),Number.isNaN(n.getTime())?void 0:n.toISOString()}var Lo=[["One key, one organization","The key chooses the organization. No parameter can name another."],["Nothing is shown until it is approved","An owner or admin approves each source, and can withdraw it at any time."],["Every answer says how fresh it is","Stale data is marked as stale. No request reaches a provider."],["It is read-only","Programs read over REST and agents over MCP."]],Do=`orgctx keys issue --organization ORGANIZATION --by MEMBER \\
    --access both --scope context:read,knowledge:read --expires-in-days 30`;function er(){let e=b(V);return a`
    <div class="hero">
      <h1>What your organization knows, <em>for the agents it trusts.</em></h1>
      <p class="lead">orgctx gives programs and AI agents read-only access to what one organization has stored and
        approved: documents, notes, files, chats, mentions, people, and one search over all of it.</p>
    </div>
    <section class="card entrance" aria-labelledby="look">
      <h2 id="look">Look inside</h2>
      ${e?a`<p>You are using a key. It stays in the memory of this page until you reload it.</p>
            <p class="actions"><a class="button primary" href=${_("explore")}>Explore</a></p>`:a`<${$e} onDone=${()=>location.assign(_("explore"))} />`}
    </section>
    <${Fo} />
    <ul class="promises">${Lo.map(([t,n])=>a`<li><h2>${t}</h2><p>${n}</p></li>`)}</ul>
    <section class="split even">
      <div>
        <h2>How to get a key</h2>
        <p>Ask an owner or admin of your organization, who issues it at the desk or with this command. It is
          shown once, has the scopes that were chosen, and expires after 7, 30 or 90 days.</p>
        <${We} text=${Do} label="Command that issues a key" />
      </div>
      <div>
        <h2>Then</h2>
        <ul class="plain-list next">
          <li><a href=${_("connect")}>Connect a client</a> <span class="quiet">Claude Code, Cursor, VS Code and others</span></li>
          <li><a href=${_("explore")}>Explore the data</a> <span class="quiet">as the key sees it, each view with its request</span></li>
          <li><a href=${_("reference")}>Read the reference</a> <span class="quiet">${x.operations.length} operations, REST and MCP alike</span></li>
        </ul>
      </div>
    </section>
  `}function Fo(){let[e,t]=y(null),n=()=>fetch("readyz",{cache:"no-store"}).then(s=>s.json()).then(t,()=>t({status:"unreachable",checks:{}}));if(!e)return a`<p class="actions"><button type="button" onClick=${n}>Is the service ready?</button></p>`;let r=e.status==="ready";return a`<p class="readiness" role="status">
    <span class="status tone-${r?"current":"unavailable"}"><${Ce} status=${r?"current":"unavailable"} />${r?"Ready":"Not ready"}</span>
    ${Object.entries(e.checks).map(([s,o])=>a`<span class="quiet">${s} ${o}</span>`)}
  </p>`}var Bt={};G(Bt,{Token:()=>Ht,operations:()=>jo,shows:()=>Uo});var jo=["get_token"],Uo=()=>"the stored summary of the linked token";function Ht(){let{body:e,error:t,retry:n}=P("get_token",{});if(t)return a`<${N} isWhole error=${t} retry=${n} />`;if(!e)return a`<${S} />`;let{connected:r,token:s,index:o,holders:c,latestFees:i,latestTradeAt:p,sources:d}=e.data;return a`
    <div class="masthead">
      <p class="eyebrow">Token</p>
      <h1 dir="auto">${s?`${s.name} (${s.symbol})`:"No token is stored"}</h1>
      <${I} meta=${e.meta} />
    </div>
    ${!r&&a`<${D}>The token is approved, but no snapshot of it is stored.<//>`}
    <dl class="figures large">
      ${c&&a`<div><dt>holders</dt><dd>${j(c.count)}</dd></div>`}
      ${i&&a`<div><dt>price, USD</dt><dd>${j(i.priceUsd)}</dd></div>`}
      ${p&&a`<div><dt>last trade</dt><dd><${A} at=${p} /></dd></div>`}
      ${o&&a`<div><dt>index</dt><dd><${_e} status=${o.state} /></dd></div>`}
    </dl>
    <h2>Sources</h2>
    <table class="simple">
      <thead><tr><th scope="col">Part</th><th scope="col">Status</th><th scope="col">Updated</th><th scope="col">Note</th></tr></thead>
      <tbody>${Object.entries(d).map(([l,m])=>a`<tr>
        <th scope="row">${l}</th><td><${_e} status=${m.status} /></td><td><${A} at=${m.updatedAt} /></td><td dir="auto">${m.note??""}</td>
      </tr>`)}</tbody>
    </table>
    <h2>Details</h2>
    <div class="blocks">
      <${Ze} title="Token" members=${s} />
      <${Ze} title="Index" members=${o} />
      <${Ze} title="Holders" members=${c} />
      <${Ze} title="Latest fees" members=${i} />
    </div>
  `}function Ze({title:e,members:t}){return t?a`<section class="card">
    <h3>${e}</h3>
    <dl class="facts">${Object.entries(t).map(([n,r])=>a`<div><dt>${n}</dt><dd dir="auto"><${Ho} value=${r} /></dd></div>`)}</dl>
  </section>`:null}function Ho({value:e}){return e===null?a`<span class="quiet">none</span>`:typeof e=="number"?String(e):/^\d{4}-\d\d-\d\dT/.test(e)?a`<${A} at=${e}>${J(e)}<//>`:/^https?:/.test(e)?a`<${F} url=${e} />`:a`<code>${/^\d+$/.test(e)?En(e):e}</code>`}var Bo=new URL(jn,import.meta.url).href,tr={explore:"Explore"},zt=H?tr:{start:"Start",connect:"Connect",...tr,reference:"Reference"},ue={overview:{title:"Overview",view:Nt,...Pt},search:{title:"Search",view:jt,...Ut},knowledge:{title:"Library",view:Ot,...At},assets:{title:"Files",view:kt,...St},chats:{title:"Chats",view:Ct,...Tt},people:{title:"People",view:Rt,...It},mentions:{title:"Mentions",view:qt,...Et},token:{title:"Token",view:Ht,...Bt}};for(let[e,{operations:t,queries:n}]of Object.entries(ue))zn(e,t,n);function zo(){let e=b(L),t=b(V),n=`${e.area}/${e.view}/${e.values.join("/")}`,r=O(null),s=O(!0);return T(()=>{document.title=`${ue[e.view]?.title??zt[e.area]??"Page not found"} · orgctx`,s.current||r.current.focus({preventScroll:!0}),s.current||scrollTo(0,0),s.current=!1},[n,t]),a`
    <a class="skip" href="#main" onClick=${c=>{c.preventDefault(),r.current.focus()}}>Skip to the content</a>
    <header class="bar">
      <a class="brand" href="#/"><img src=${Bo} alt="" width="26" height="26" />orgctx</a>
      ${H?a`<${Wo} />`:a`<nav aria-label="Page"><ul>
        ${Object.entries(zt).map(([c,i])=>a`<li><a href=${_(c==="start"?"":c)} aria-current=${e.area===c?"page":void 0}>${i}</a></li>`)}
      </ul></nav>
      <div class="who">${t&&a`<${Dn} /><button type="button" onClick=${ke}>Forget key</button>`}</div>`}
    </header>
    <main id="main" ref=${r} tabindex="-1" class=${e.area}>
      <${Wt} key=${e.area==="reference"?e.area:n}><${Vo} here=${e} isConnected=${t} /><//>
    </main>
    <${Ln} />
  `}function Wo(){let{name:e,access:t,desk:n}=H;return a`<p class="viewed">You see what the key <strong dir="auto">${e}</strong> reads${t==="mcp"&&" with MCP tools"}.</p>
    <a class="who" href=${n}>Back to the desk</a>`}function Vo({here:e,isConnected:t}){return Object.hasOwn(zt,e.area)?e.area==="start"?a`<${er} />`:e.area==="connect"?a`<${Hn} view=${e.view} />`:e.area==="reference"?a`<${Gn} view=${e.view} />`:t?a`<${Jo} here=${e} />`:a`<${Ko} here=${e} />`:a`<h1>Page not found</h1><p><a href="#/">Go to the start</a></p>`}function Ko({here:e}){let{title:t="Explore",operations:n,shows:r}=ue[e.view||"overview"]??{},s=n?.flatMap(o=>xe(o).scopes)??[];return a`<section class="card entrance">
    <h1>${t}</h1>
    ${r&&a`<p dir="auto">With a key, this address shows ${r(e)}.</p>
      <p class="quiet">The key needs the scope ${[...new Set(s)].map((o,c)=>a`${c>0&&" or "}<code>${o}</code>`)}.</p>`}
    <${$e} />
  </section>`}function Jo({here:e}){let t=Xo(),n=e.view||t[0],{view:r,operations:s=[]}=ue[n]??{},o=b(de)>0;return Tn(n),a`<div class="explore-frame">
    <nav class="views" aria-label="Views"><ul class="menu">
        ${t.map(c=>a`<li><a href=${_("explore",c)} aria-current=${c===n?"page":void 0}>${ue[c].title}</a></li>`)}
      </ul></nav>
    <div class="view" aria-busy=${o}>
      ${r?a`<${r} values=${e.values} query=${e.query} />`:a`<h1>View not found</h1><p>Choose one of the views of the menu.</p>`}
      ${!H&&a`<${Ke} operations=${s} />`}
    </div>
  </div>`}function Xo(){let e=b(je),t=n=>!e||xe(n).scopes.some(r=>e.includes(r));return Object.keys(ue).filter(n=>ue[n].operations.some(t))}var Wt=class extends ie{state={error:null};static getDerivedStateFromError(t){return{error:t}}render({children:t},{error:n}){return n?a`<div class="trouble" role="alert"><h1>This view failed</h1>
      <p>No data was changed. Reload the page, or report this to the operator: <code>${String(n.message)}</code></p></div>`:t}};it(a`<${zo} />`,document.getElementById("app"));
